import type { Words } from './words.ts';

export const ja: Words = {
  language: 'ja',
  direction: 'ltr',
  openOriginal: '元のページを開く',
  original: '元のページ',
  inNewTab: '新しいタブで',
  from: '出典：',
  continues: '続きは元のサイトにあります：',
  loading: '読み込み中です。',
  reload: '再読み込み',
  colourMode: '配色',
  light: 'ライト',
  dark: 'ダーク',
  system: 'システム',
  callouts: { note: '注記', tip: 'ヒント', important: '重要', warning: '警告', caution: '注意' },
  reader: {
    title: '表示設定',
    size: '文字の大きさ',
    sizes: ['小', '標準', '大', '特大', '最大'],
    font: '書体',
    standard: '標準',
    sans: 'ゴシック体',
    serif: '明朝体',
    mono: '等幅',
    width: '幅',
    narrow: '狭い',
    wide: '広い',
    contents: '目次',
    listen: '読み上げる',
    stop: '停止',
    print: '印刷',
    copyLink: '選択箇所へのリンクをコピー',
    copied: 'リンクをコピーしました。',
    selectFirst: '先に文章を選択してください。',
  },
  cards: {
    SHOWN: { kind: 'ウェブページ', reason: 'このページを読むには、元のページを開いてください。' },
    NO_ARTICLE: {
      kind: 'ウェブページ',
      reason: 'このページには、ここに表示できる記事がありません。元のページを開いてご覧ください。',
    },
    NEEDS_BROWSER: {
      kind: 'アプリケーション',
      reason: 'このページはアプリケーションです。利用するには、元のページを開いてください。',
    },
    FORBIDDEN: {
      kind: '制限されたページ',
      reason:
        'このサイトは、このページを一部の人にだけ公開しています。元のページではログインを求められることがあります。',
    },
    GONE: { kind: '存在しないページ', reason: 'このページはサイトにありません。移動した可能性があります。' },
    NOT_A_PAGE: {
      kind: 'ファイル',
      reason: 'これはウェブページではなくファイルです。元のページを開いてご覧ください。',
    },
    TOO_LARGE: {
      kind: '大きなページ',
      reason: 'このページは大きすぎるため、ここには表示できません。元のページを開いてお読みください。',
    },
    UNREACHABLE: {
      kind: '接続できないページ',
      reason: '現在、サイトに接続できません。元のページを試すか、後でもう一度お越しください。',
    },
    NOT_ALLOWED: {
      kind: 'ウェブページ',
      reason: 'このページをここに複製することはできません。元のページを開いてお読みください。',
    },
  },
};
