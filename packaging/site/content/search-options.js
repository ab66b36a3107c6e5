// Lets the search find options as they are written, such as `--resume`. A hyphen before a word would exclude its pages.
const send = Worker.prototype.postMessage
Worker.prototype.postMessage = function (message, ...rest) {
  if (typeof message?.data === "string") {
    message = { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") }
  }
  return send.call(this, message, ...rest)
}
