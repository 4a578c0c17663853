/** Paths on the host of a frame, which its page and its scripts use, and a server has to answer. */
export const FRAME_PATHS = {
  /** Redirects to the source page, for host pages that may only navigate to the host of the embed, such as WordPress. */
  original: '/original',
  /** Folder of the pictures. */
  pictures: '/image/',
  /** Receives the reports of views. The paths of pages end with a page id, so none is the same. */
  views: '/views',
  /** The whole page of an embed of a part. A path, because caches ignore the queries of embeds. */
  whole: '/whole',
} as const;
