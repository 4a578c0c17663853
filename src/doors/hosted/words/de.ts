import type { Words } from './words.ts';

export const de: Words = {
  language: 'de',
  direction: 'ltr',
  openOriginal: 'Original öffnen',
  original: 'Original',
  inNewTab: 'in einem neuen Tab',
  from: 'Von',
  continues: 'Der Text geht an der Quelle weiter:',
  loading: 'Wird noch geladen.',
  reload: 'Neu laden',
  colourMode: 'Farbmodus',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',
  callouts: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },
  reader: {
    title: 'Leseeinstellungen',
    size: 'Schriftgröße',
    sizes: ['Klein', 'Standard', 'Groß', 'Größer', 'Am größten'],
    font: 'Schrift',
    standard: 'Standard',
    sans: 'Serifenlos',
    serif: 'Mit Serifen',
    mono: 'Feste Breite',
    width: 'Breite',
    narrow: 'Schmal',
    wide: 'Breit',
    contents: 'Inhalt',
    listen: 'Vorlesen',
    stop: 'Anhalten',
    print: 'Drucken',
    copyLink: 'Link zur Auswahl kopieren',
    copied: 'Link kopiert.',
    selectFirst: 'Wählen Sie zuerst eine Stelle aus.',
  },
  cards: {
    SHOWN: { kind: 'Webseite', reason: 'Öffnen Sie das Original, um diese Seite zu lesen.' },
    NO_ARTICLE: {
      kind: 'Webseite',
      reason: 'Diese Seite hat keinen Artikel, der hier gezeigt werden kann. Öffnen Sie das Original, um sie zu sehen.',
    },
    NEEDS_BROWSER: {
      kind: 'Anwendung',
      reason: 'Diese Seite ist eine Anwendung. Öffnen Sie das Original, um sie zu benutzen.',
    },
    FORBIDDEN: {
      kind: 'Geschützte Seite',
      reason: 'Die Website zeigt diese Seite nicht allen. Das Original verlangt vielleicht eine Anmeldung.',
    },
    GONE: { kind: 'Fehlende Seite', reason: 'Die Website hat diese Seite nicht mehr. Vielleicht ist sie umgezogen.' },
    NOT_A_PAGE: {
      kind: 'Datei',
      reason: 'Dies ist eine Datei und keine Webseite. Öffnen Sie das Original, um sie zu sehen.',
    },
    TOO_LARGE: {
      kind: 'Große Seite',
      reason: 'Diese Seite ist zu groß, um hier gezeigt zu werden. Öffnen Sie das Original, um sie zu lesen.',
    },
    UNREACHABLE: {
      kind: 'Nicht erreichbare Seite',
      reason:
        'Die Website ist zurzeit nicht erreichbar. Versuchen Sie es mit dem Original oder kommen Sie später wieder.',
    },
    NOT_ALLOWED: {
      kind: 'Webseite',
      reason: 'Diese Seite darf hier nicht kopiert werden. Öffnen Sie das Original, um sie zu lesen.',
    },
  },
};
