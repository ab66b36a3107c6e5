// Lets the search work on a page that is opened from a disk. A browser starts no worker there, so that a hidden frame runs the
// worker's script instead. It has the parts of `Worker` that the search uses.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.title = "search"
      const begin = () => {
        document.body.append(this.frame)
        const inside = this.frame.contentWindow
        inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
        inside.importScripts = () => {}
        const script = inside.document.createElement("script")
        script.onload = () => {
          this.receive = data => inside.dispatchEvent(new inside.MessageEvent("message", { data }))
          this.waiting.splice(0).forEach(this.receive)
        }
        script.src = url
        inside.document.body.append(script)
      }
      document.readyState === "loading" ? addEventListener("DOMContentLoaded", begin) : begin()
    }
    postMessage(data) {
      this.receive ? this.receive(data) : this.waiting.push(data)
    }
  }
}
