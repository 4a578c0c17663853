import { parsePublished } from '../head/published.ts';

/** The author of a message, and its level below the first one, as the parser keeps them. */
export const MESSAGE_AUTHOR = 'data-author';
export const MESSAGE_LEVEL = 'data-level';

/** The authors of a chat. */
export const USER = 'User';
export const ASSISTANT = 'Assistant';

const AUTHORS = ['data-author', 'data-username', 'data-user-name', 'data-sender', 'data-sender-name'];
const LEVELS = ['data-level', 'data-depth', 'data-nest-level', 'depth', 'indent'];
const TIME_ELEMENTS = new Set(['relative-time', 'time-ago', 'local-time', 'faceplate-timeago', 'timeago']);
const TIMES = ['datetime', 'ts', 'title', 'data-time', 'data-timestamp'];
/** Names of the turns of a chat with an assistant. */
const TURN =
  /(?:^|[\s_-])(?:(user|human)|assistant|ai|bot|model|claude|chatgpt|gemini)[-_](?:message|query|turn|response|prompt|bubble|answer)(?:$|[\s_-])/i;
/** Slots of components with the buttons below a message. */
const CONTROLS_SLOT = /(?:(?<![a-z])a|A)ctions?(?![a-z])/;
/** A day behind a label, before a time of the day: "Sender's time: May 2, 2023, 10 a.m.". */
const LABELLED_DAY = /^[^:\d]{1,30}time:\s(.{3,30}\d{4})(?:,\s.{0,20})?$/i;
const MAX_LENGTH = 100;

type Attributes = Readonly<Record<string, string>>;

/** Returns `time` for elements that say a time in an attribute, `div` for components with an author, and `button` for controls; else null. */
export function renameMessagePart(name: string, attributes: Attributes): string | null {
  if (attributes.slot && CONTROLS_SLOT.test(attributes.slot)) return 'button';
  if (TIME_ELEMENTS.has(name)) return 'time';
  if (name.includes('-')) return attributes.author || turnOf(name, attributes) ? 'div' : null;
  return (name === 'span' || name === 'abbr') && findTime(attributes) !== null ? 'time' : null;
}

/** Selects what the attributes of an element say of a message. */
export function selectMessageAttributes(name: string, attributes: Attributes): Record<string, string> {
  const selected: Record<string, string> = {};
  const author = findAuthor(attributes);
  if (author !== null) selected[MESSAGE_AUTHOR] = author.slice(0, MAX_LENGTH);
  const level = LEVELS.map((key) => attributes[key]).find((value) => /^\d{1,3}$/.test(value ?? ''));
  if (level !== undefined) selected[MESSAGE_LEVEL] = level;
  const time = name === 'time' ? findTime(attributes) : null;
  if (time !== null) selected.datetime = time;
  return selected;
}

/** Adds the name of a component to the class names, if it is that of a turn of a chat. */
export function nameTurn(name: string, attributes: Attributes): Attributes {
  if (!name.includes('-') || !TURN.test(name)) return attributes;
  return { ...attributes, class: `${name} ${attributes.class ?? ''}` };
}

function turnOf(name: string, attributes: Attributes): RegExpExecArray | null {
  const names = [name, attributes.class, attributes['data-testid'], attributes['data-content']];
  return TURN.exec(names.map((one) => one ?? '').join(' '));
}

function findAuthor(attributes: Attributes): string | null {
  const name = AUTHORS.map((key) => attributes[key]).find((value) => value) ?? attributes.author;
  if (name) return name;
  if (attributes.email && attributes.name) return attributes.name;
  const role = attributes['data-message-author-role'];
  if (role) return roleOf(/^(?:user|human)$/.test(role));
  const turn = turnOf('', attributes);
  return turn && roleOf(turn[1] !== undefined);
}

function roleOf(isUser: boolean): string {
  return isUser ? USER : ASSISTANT;
}

/** Finds a time in ISO 8601, of which some sites write a number behind, or a date in words. */
function findTime(attributes: Attributes): string | null {
  const values = TIMES.map((key) => attributes[key]?.trim().replace(/^(\d{4}-\d\d-\d\dT[\d:.]+Z?) \d+$/, '$1') ?? '');
  const said = values.find((value) => parsePublished(value) !== null);
  return (
    said ?? values.map((value) => LABELLED_DAY.exec(value)?.[1]).find((day) => parsePublished(day) !== null) ?? null
  );
}
