export { findFontFile, findFontStyleSheet } from './bundled-fonts.ts';
export { FRAME_PATHS } from './frame-paths.ts';
export { estimateHeights, heightAt } from './height.ts';
export { EMBED_SCRIPT } from './render/client-code.ts';
export type { FramePage } from './render/document.ts';
export { renderErrorPage, renderReaderError } from './render/error-page.ts';
export { renderFrame } from './render/frame.ts';
export type { FrameView } from './render/frame-view.ts';
export { heightsOf, renderSnippet, SNIPPET_HEIGHT_PX } from './snippet.ts';
