/// The rules of a button's HTML. Every selector begins at the button, so that the rules affect nothing else on a
/// page. Values that differ between buttons are variables of its element.
enum ButtonStyleSheet {
  static let text = """
    .ifttt-button{all:initial;display:block;box-sizing:border-box;width:100%;max-width:329px;\
    font-family:"Avenir Next",Avenir,system-ui,sans-serif;font-size:13px;line-height:1.4;color:var(--footer)}
    .ifttt-button *{box-sizing:border-box;margin:0;padding:0;font:inherit;color:inherit}
    .ifttt-button style{display:none}
    .ifttt-button .pill{display:flex;align-items:center;gap:10px;height:70px;padding:4px;border-radius:35px;\
    background:linear-gradient(to right,var(--progress) var(--done),transparent 0) var(--track);color:var(--text);\
    text-decoration:none;overflow:hidden}
    .ifttt-button .label{flex:1;min-width:0;padding:0 10px;text-align:center;font-size:var(--size);font-weight:700;\
    white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    .ifttt-button input.label{border:0;outline:0;background:none;height:62px;padding-left:20px;text-align:start;\
    font-weight:600;font-size:18px;color:#000}
    .ifttt-button input.label::placeholder{color:#414141;opacity:1;font-size:var(--size)}
    .ifttt-button .knob{position:relative;flex:none;display:flex;align-items:center;justify-content:center;width:62px;height:62px;\
    border:0;border-radius:50%;background:var(--knob);color:var(--ink);font-size:26px;font-weight:700;\
    box-shadow:0 0 0 3px var(--track)}
    .ifttt-button img{width:auto;height:auto;max-width:32px;max-height:32px;vertical-align:middle}
    .ifttt-button .icon{position:absolute;inset:15px;display:block;line-height:0;text-align:center}
    .ifttt-button .icon img{background:var(--knob)}
    .ifttt-button .footer{margin-top:8px;text-align:center;overflow-wrap:anywhere}
    .ifttt-button details{color:var(--quiet)}
    .ifttt-button b{font-weight:800}
    .ifttt-button summary{cursor:pointer;text-decoration:underline}
    .ifttt-button details[open]{text-align:start}
    .ifttt-button details[open] summary{text-align:center}
    .ifttt-button .title{margin-top:8px;font-weight:700}
    .ifttt-button ul{margin:8px 0;padding-inline-start:20px}
    .ifttt-button a:focus-visible,.ifttt-button summary:focus-visible,.ifttt-button form:focus-within\
    {outline:3px solid #0099ff;outline-offset:2px}
    """
}
