import Text

/// The style sheet embedded in every page, and the source expression that permits it in the Content-Security-Policy.
enum PageStyle {
  /// `sha256-` and the hash in Base64 (CSP Level 3, section 2.3.1).
  static let source = "sha256-" + Base64.encode(SHA256.hash(Array(sheet.text.utf8)))

  static let sheet: HTML = """
    :root{color-scheme:light dark;--back:#f3f2ee;--card:#fff;--ink:#1b1b1a;--soft:#5d5c58;--line:#dcdad3;--accent:#1f5fbf;\
    --on:#fff;--warn:#8a4b00;--bad:#a3231f;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\
    @media(prefers-color-scheme:dark){:root{--back:#151515;--card:#212120;--ink:#f0efea;--soft:#a9a79f;--line:#3a3936;\
    --accent:#8db8ff;--on:#10203a;--warn:#f0b35e;--bad:#ff9a93}}\
    *{box-sizing:border-box}\
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,"Noto Sans",sans-serif}\
    header{padding:12px 20px;border-bottom:1px solid var(--line);color:var(--soft);font-size:14px}\
    header strong{color:var(--ink);margin-inline-end:8px}\
    main{max-width:720px;margin:0 auto;padding:24px 16px 64px}\
    .card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px;margin-bottom:16px}\
    .bad{border-color:var(--bad)}\
    .card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}a{color:var(--accent)}\
    h1{font-size:24px;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}\
    h2{font-size:18px;margin:24px 0 8px;overflow-wrap:anywhere}\
    p{margin:8px 0;overflow-wrap:anywhere}\
    .soft,small{color:var(--soft)}small{display:block;font-size:14px}\
    .services{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;margin:8px 0;list-style:none}\
    .services li{display:flex;align-items:center;gap:6px}\
    .dot{width:14px;height:14px;flex:none;stroke:var(--line)}\
    .steps{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0;margin:0 0 20px;font-size:14px}\
    .steps li{border:1px solid var(--line);border-radius:99px;padding:2px 12px;color:var(--soft)}\
    .steps .now{background:var(--ink);border-color:var(--ink);color:var(--card);font-weight:600}\
    .steps .out{text-decoration:line-through;opacity:.75}\
    label,legend{display:block;font-weight:600;margin-top:16px;overflow-wrap:anywhere}\
    legend{width:100%;margin:0;padding:16px 0 0;border-top:1px solid var(--line);font-size:18px}\
    .check{display:flex;gap:8px;font-weight:400;margin-top:8px;align-items:baseline}\
    fieldset{border:0;margin:24px 0 0;padding:0;min-width:0}\
    fieldset fieldset{margin-top:16px}fieldset fieldset legend{padding:0;border:0;font-size:16px}\
    input:not([type=checkbox]),select,textarea{width:100%;margin-top:4px;padding:10px 12px;font:inherit;color:inherit;\
    background:var(--back);border:1px solid var(--soft);border-radius:8px}\
    .places{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:0 12px}\
    .places label{font-weight:400;font-size:14px;margin-top:8px}\
    .go{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}\
    button{font:inherit;padding:10px 20px;border-radius:99px;border:1px solid var(--soft);background:none;color:inherit;\
    cursor:pointer}\
    .go button:first-child{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}\
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}\
    .error{color:var(--bad);font-weight:600}.warn{color:var(--warn);font-weight:600}\
    details{margin-bottom:16px}summary{cursor:pointer;padding:4px 0;color:var(--soft)}\
    .outcomes{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:8px;padding-top:8px}\
    .outcomes button{border-radius:10px;text-align:start;padding:8px 14px}.outcomes small{font-size:13px}\
    dl{display:grid;grid-template-columns:minmax(100px,max-content) 1fr;gap:4px 16px;margin:8px 0 0;font-size:14px}\
    dt{color:var(--soft);overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere}.mono{font-family:var(--mono)}\
    @media(max-width:520px){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}.card{padding:18px}}
    """
}
