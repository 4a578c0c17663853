/** The page parser lowers the case of names, but SVG needs it. */
function byLowerCase(names: string): ReadonlyMap<string, string> {
  return new Map(names.split(/\s+/).map((name) => [name.toLowerCase(), name]));
}

/** SVG elements without scripts, animation and links. Of a `foreignObject` only the text is kept. */
export const DRAWING_ELEMENTS = byLowerCase(
  `circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feDropShadow feFlood feGaussianBlur feMerge
  feMergeNode feOffset filter foreignObject g image line linearGradient marker mask path pattern polygon polyline
  radialGradient rect stop style svg symbol text textPath title tspan use`,
);

/** SVG attributes without references, which may only name elements of the same drawing, and without event handlers. */
export const DRAWING_ATTRIBUTES = byLowerCase(
  `alignment-baseline baseline-shift class clip-path clip-rule clipPathUnits color color-interpolation-filters cx cy d
  direction display dominant-baseline dx dy fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity
  font-family font-size font-style font-variant font-weight fr fx fy gradientTransform gradientUnits height id in in2
  k1 k2 k3 k4 lengthAdjust letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
  maskContentUnits maskUnits mode offset opacity operator orient overflow paint-order pathLength patternContentUnits
  patternTransform patternUnits points preserveAspectRatio primitiveUnits r refX refY result rotate rx ry
  shape-rendering spreadMethod startOffset stdDeviation stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style text-anchor
  text-decoration text-rendering textLength transform type unicode-bidi values vector-effect viewBox visibility width
  word-spacing writing-mode x x1 x2 xml:space y y1 y2`,
);
