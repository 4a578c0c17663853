/** Defines `<page-embed>` in browsers. On a server it does nothing. */
export {};
