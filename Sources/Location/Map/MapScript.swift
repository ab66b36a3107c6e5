/// The page's script, which moves a ring along the track. It is identical on every page so that the policy can
/// contain its hash.
enum MapScript {
  static let text = """
    (() => {
      const slider = document.getElementById("place"), moment = document.getElementById("moment");
      if (!slider) return;
      const pictures = [...document.querySelectorAll("figure > .map")].map(map => ({
        stops: [...map.querySelectorAll(".stop")], here: map.querySelector(".here")
      }));
      const show = () => {
        for (const { stops, here } of pictures) {
          const stop = stops[slider.value];
          here.setAttribute("cx", stop.getAttribute("cx"));
          here.setAttribute("cy", stop.getAttribute("cy"));
          here.removeAttribute("visibility");
          moment.value = stop.querySelector("title").textContent;
        }
        slider.setAttribute("aria-valuetext", moment.value);
      };
      slider.addEventListener("input", show);
      for (const { stops } of pictures) stops.forEach((stop, place) => stop.addEventListener("click", () => {
        slider.value = place;
        show();
      }));
      document.getElementById("walk").hidden = false;
      show();
    })();

    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-sk129+Pv2PI94X+OpO6FCztFGvv37DT5L9ZZfUyvpao="
}
