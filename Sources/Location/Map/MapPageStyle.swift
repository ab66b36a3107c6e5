/// The page's style sheet, identical on every page so that the policy can contain its hash.
enum MapPageStyle {
  static let text = MapStyle.colors + MapStyle.drawing + page

  private static let page = """
    *{box-sizing:border-box}
    html{color-scheme:light dark}
    .page{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",\
    Arial,sans-serif}
    main{max-width:1008px;margin:0 auto;padding:28px 24px 48px}
    h1{margin:0;font-size:26px;line-height:1.25;overflow-wrap:anywhere}
    h2{margin:36px 0 10px;font-size:18px}
    p{margin:6px 0 0}
    .note{color:var(--muted);font-size:15px;overflow-wrap:anywhere}
    figure{margin:18px 0 0}
    figure>.map{display:block;width:100%;height:auto}
    .narrow,figure>.narrow{display:none}
    .walk{display:grid;grid-template-columns:auto 1fr;gap:2px 16px;align-items:center;margin-top:14px}
    .walk[hidden]{display:none}
    .walk input{width:100%;min-width:0;height:28px;margin:0;accent-color:var(--entry)}
    .walk output{grid-column:1/-1;min-height:24px;color:var(--muted);font-size:15px;font-variant-numeric:tabular-nums}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:12px 0 0;padding:0;list-style:none;font-size:15px}
    .legend li{display:flex;align-items:center;gap:8px}
    .room{overflow-x:auto;border:1px solid var(--grid);border-radius:8px}
    .room:focus-visible,input:focus-visible{outline:3px solid var(--entry);outline-offset:2px}
    table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
    th,td{padding:7px 11px;text-align:start;white-space:nowrap}
    td bdi{display:block;width:max-content;max-width:30ch;white-space:normal;overflow-wrap:anywhere}
    th{color:var(--muted);font-weight:600}
    tbody tr{border-top:1px solid var(--grid)}
    .figure{text-align:end}
    .event svg{margin-inline-end:8px;vertical-align:-3px}
    @media(max-width:640px){main{padding:20px 14px 36px}h1{font-size:22px}figure>.wide{display:none}\
    figure>.narrow{display:block}th,td{padding:7px 10px}.walk{grid-template-columns:1fr}}
    @media print{main{max-width:none;padding:0}figure>.wide{display:block}figure>.narrow,.walk{display:none}\
    .room{overflow:visible;border:0}th,td{padding:4px 8px 4px 0;white-space:normal}tr,figure{break-inside:avoid}\
    table{font-size:12px}}

    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-9etRQzaNBr8joE3u8Bk94V98Wo0nFsPAO+UvA5LJw2Q="
}
