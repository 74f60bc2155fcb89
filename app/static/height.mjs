// How high a framed page is: as high as its content, whatever the frame's height. While the frame is as high as
// told there is no scroll bar, nor for the moment in which the page around follows.

const FOLLOW_MS = 150;

/** Follow the height; gives a function that measures it. onChange is called when it may be another. */
export function followHeight(onChange) {
  const html = document.documentElement;
  let height = 0;
  let overflow = null;

  const fits = () => innerHeight >= height - 1; // zoomed, a frame is rounded to pixels
  function fit() {
    clearTimeout(overflow);
    if (fits()) html.dataset.fits = "";
    else overflow = setTimeout(() => fits() || delete html.dataset.fits, FOLLOW_MS);
  }

  html.dataset.framed = "";
  html.dataset.fits = ""; // a scroll bar makes the content narrower and so higher: the first height is one without
  addEventListener("resize", fit);
  new ResizeObserver(onChange).observe(html);
  onChange(); // a page out of view observes nothing

  return () => {
    const before = height;
    height = Math.ceil(html.getBoundingClientRect().height);
    if (height !== before) fit();
    return height;
  };
}
