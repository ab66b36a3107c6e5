/// The style sheets of a map, identical in every map, so that a page's policy can contain their hash.
///
/// The colors of regions and marks are from the color-blind safe palette of Okabe and Ito (2008); one of them is
/// darkened on light backgrounds. Each color also comes with its own shape or pattern.
enum MapStyle {
  static let colors = """
    .map,.page{--paper:#ffffff;--pane:#f4f6f8;--ink:#1b1f24;--muted:#57606a;--grid:#d6dce2;--track:#3d444d;\
    --entry:#0072b2;--exit:#d55e00;--both:#9c4f7e}
    @media screen and (prefers-color-scheme:dark){.map,.page{--paper:#0f1419;--pane:#171d24;--ink:#e8edf2;\
    --muted:#a3adb8;--grid:#2c353f;--track:#c3ccd5;--entry:#56b4e9;--exit:#e69f00;--both:#cc79a7}}

    """

  static let drawing = """
    .map{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;print-color-adjust:exact;\
    -webkit-print-color-adjust:exact}
    .map text{fill:var(--ink);font-size:13px}
    .map .title{font-size:21px;font-weight:650}
    .map .note,.map .small,.map .degrees{fill:var(--muted)}
    .map .small{font-size:11.5px}
    .map .degrees{font-size:10.5px}
    .map .name{font-weight:600}
    .map .name,.map .small,.map .degrees,.map .number{paint-order:stroke;stroke:var(--pane);stroke-width:4px;\
    stroke-linejoin:round}
    .map .number{font-size:11px;font-weight:700}
    .map .middle{text-anchor:middle}
    .map .paper{fill:var(--paper)}
    .map .pane{fill:var(--pane)}
    .map .rim{fill:none;stroke:var(--grid)}
    .map .grid{fill:none;stroke:var(--grid);stroke-width:1}
    .map .region{stroke-width:2;fill-opacity:.12}
    .map .entry{stroke:var(--entry);fill:var(--entry)}
    .map .exit{stroke:var(--exit);fill:var(--exit)}
    .map .both{stroke:var(--both);fill:var(--both)}
    .map .region.exit{stroke-dasharray:8 5}
    .map .region.both{stroke-dasharray:12 4 2 4}
    .map .torn{fill:none}
    .map .arrow,.map .mark{stroke:var(--pane);stroke-width:1.5;paint-order:stroke;stroke-linejoin:round}
    .map .halo,.map .line{fill:none;stroke-linejoin:round;stroke-linecap:round}
    .map .halo{stroke:var(--pane);stroke-width:5}
    .map .line{stroke:var(--track);stroke-width:2}
    .map .dots{stroke:var(--track);stroke-width:6;stroke-linecap:round}
    .map .way{fill:none;stroke:var(--track);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
    .map .end{fill:var(--pane);stroke:var(--track);stroke-width:2.5}
    .map .full{fill:var(--track);stroke:var(--pane);stroke-width:1.5}
    .map .stop{fill:var(--track);fill-opacity:0;stroke:none}
    .map .stop:hover{fill-opacity:1}
    .map .here{fill:none;stroke:var(--ink);stroke-width:2.5}
    .map .bar{fill:none;stroke:var(--ink);stroke-width:2}
    .map .needle{fill:var(--ink)}

    """
}
