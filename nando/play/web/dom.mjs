// Short helpers for the document.

export const SVG = "http://www.w3.org/2000/svg";

export function $(id) {
  return document.getElementById(id);
}
