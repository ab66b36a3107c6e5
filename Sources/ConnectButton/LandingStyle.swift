/// The landing page's style, identical on every page so that the policy can contain its hash.
enum LandingStyle {
  static let text = """
    *{box-sizing:border-box}
    html{color-scheme:light dark;background:#f4f4f4;color:#222222}
    body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:24px;\
    font:17px/1.5 "Avenir Next",Avenir,system-ui,sans-serif}
    main{width:100%;max-width:480px;padding:48px 32px;border-radius:24px;background:#ffffff;text-align:center;\
    box-shadow:0 1px 3px rgba(0,0,0,.12)}
    h1{margin:24px 0 0;font-size:28px;line-height:1.25;overflow-wrap:anywhere;hyphens:auto;text-wrap:balance}
    .service+h1{margin-top:8px}
    p{margin:16px 0 0;overflow-wrap:anywhere;text-wrap:balance}
    .service{font-weight:600}
    .last{margin-block-start:32px;color:#595959;font-size:15px}
    .edge{stroke:#ffffff}
    :lang(ja){line-break:strict;word-break:auto-phrase}
    :lang(ko){word-break:keep-all}
    @media(prefers-color-scheme:dark){html{background:#111111;color:#f4f4f4}main{background:#1e1e1e;box-shadow:none}\
    .last{color:#b3b3b3}.edge{stroke:#8a8a8a}}
    @media(max-width:480px){body{padding:12px}main{padding:40px 20px}}
    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-CHQE+s8h1FWHBwRKDizI4yDUSngmZoxFJ93evOt/r9M="
}
