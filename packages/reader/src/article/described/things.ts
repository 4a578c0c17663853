import { escapeHtml, html, Markup } from '../../html.ts';
import { findText, isObject, type JsonObject } from '../../json.ts';
import { MARKER } from '../blocks/tree.ts';
import { decodeReferences, plainText } from '../plain-text.ts';
import { toMarkup } from '../scripted/page-data.ts';

const MAX_ITEMS = 200;
const MAX_LINE_LENGTH = 500;
/** From Monday, the first of January 2024. */
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY_CODES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

type Render = (thing: JsonObject, language: string) => string;

/** What a page may describe besides an article (schema.org), by type. */
const THINGS: readonly (readonly [types: RegExp, render: Render])[] = [
  [/^Recipe$/, renderRecipe],
  [/^HowTo$/, renderRecipe],
  [/^FAQPage$/, renderQuestions],
  [/Event$/, renderEvent],
  [/^Product(?:Group)?$/, renderProduct],
  [/^(?:JobPosting|Course|Book|Movie|PodcastEpisode)$/, description],
  [
    /^(?:LocalBusiness|Restaurant|Store|Museum|Library|Hotel|Place|Bakery|CafeOrCoffeeShop|.+(?:Business|Store|Shop|Office|Organization))$/,
    renderPlace,
  ],
];

/** Renders the first thing that a page describes and that this knows, as HTML; null without one. */
export function renderThing(
  things: readonly JsonObject[],
  typesOf: (thing: JsonObject) => readonly string[],
  language: string,
): string | null {
  for (const [types, render] of THINGS) {
    const thing = things.find((one) => typesOf(one).some((type) => types.test(type)));
    const markup = thing && render(thing, language);
    if (markup) return markup;
  }
  return null;
}

function renderRecipe(thing: JsonObject): string {
  const ingredients = lines(thing.recipeIngredient ?? thing.ingredients ?? thing.supply);
  const steps = renderSteps(thing.recipeInstructions ?? thing.step);
  if (steps === '') return '';
  const facts = [thing.recipeYield, thing.totalTime, thing.prepTime, thing.cookTime].map(line).map(durationOf);
  return (
    description(thing) +
    paragraph([...new Set(facts.filter((fact) => fact))].join(' · ')) +
    list('ul', ingredients) +
    steps
  );
}

/** Renders steps as a list, or as one for each section with its name. */
function renderSteps(value: unknown): string {
  const all = listOf(value);
  const sections = all
    .filter(isObject)
    .filter(({ itemListElement, name }) => itemListElement !== undefined && line(name) !== '');
  if (sections.length < all.length) return list('ol', all.flatMap(stepsOf));
  return sections.map((one) => `<h3>${escapeHtml(line(one.name))}</h3>${list('ol', stepsOf(one))}`).join('');
}

function stepsOf(step: unknown): readonly string[] {
  if (isObject(step) && step.itemListElement !== undefined) return listOf(step.itemListElement).flatMap(stepsOf);
  const text = isObject(step) ? (findText(step.text) ?? findText(step.name)) : findText(step);
  return (text ?? '')
    .split(/\r?\n/)
    .map(line)
    .filter((one) => one !== '');
}

function renderQuestions(thing: JsonObject): string {
  return listOf(thing.mainEntity)
    .filter(isObject)
    .map((question) => {
      const answers = listOf(question.acceptedAnswer ?? question.suggestedAnswer).filter(isObject);
      const text = answers.map((answer) => toMarkup(findText(answer.text) ?? '')).join('');
      return text === '' ? '' : `<h3>${escapeHtml(line(question.name))}</h3>${text}`;
    })
    .join('');
}

function renderEvent(thing: JsonObject, language: string): string {
  const [start, end] = [thing.startDate, thing.endDate].map((date) => readTime(findText(date)));
  const places = listOf(thing.location).map((place) =>
    isObject(place) ? joinLines([place.name, ...addressOf(place)]) : line(place),
  );
  if (!start) return '';
  const isSameDay = start.hasTime && end?.hasTime && dayOf(start.date) === dayOf(end.date);
  const times = [
    renderTime(start, 'moment', language),
    end && renderTime(end, isSameDay ? 'clock' : 'moment', language),
  ];
  const people = namesOf(thing.performer ?? thing.organizer);
  const prices = pricesOf(thing, language);
  return (
    paragraph(times.filter((time) => time).join(' – '), false) +
    places.map((place) => paragraph(place)).join('') +
    paragraph(people) +
    paragraph(prices) +
    description(thing)
  );
}

function renderProduct(thing: JsonObject, language: string): string {
  const text = description(thing);
  if (text === '') return '';
  return paragraph(namesOf(thing.brand)) + text + paragraph(pricesOf(thing, language)) + renderReviews(thing);
}

/** Renders the mean of all ratings, and the reviews with their authors. */
function renderReviews({ aggregateRating: all, review }: JsonObject): string {
  const count = isObject(all) ? line(all.reviewCount ?? all.ratingCount) : '';
  const mean = isObject(all) ? ratingOf(all) : '';
  const reviews = listOf(review)
    .filter(isObject)
    .map(({ reviewBody, author, reviewRating }) => {
      const text = toMarkup(findText(reviewBody) ?? '');
      const facts = [namesOf(author), isObject(reviewRating) ? ratingOf(reviewRating) : ''].filter((fact) => fact);
      return text === '' ? '' : `<blockquote>${text}${paragraph(facts.join(' · '))}</blockquote>`;
    });
  return paragraph(mean && count ? `${mean} (${count})` : mean) + reviews.join('');
}

/** Writes a rating such as `★ 4.8 / 5`. */
function ratingOf({ ratingValue, bestRating = 5 }: JsonObject): string {
  const value = line(ratingValue);
  return value === '' ? '' : `★ ${value} / ${line(bestRating)}`;
}

function pricesOf(thing: JsonObject, language: string): string {
  const offers = listOf(thing.offers).filter(isObject).slice(0, 1);
  return offers.map((offer) => priceOf(offer, language)).join('');
}

function renderPlace(thing: JsonObject, language: string): string {
  const rows = [
    ...listOf(thing.openingHoursSpecification)
      .filter(isObject)
      .flatMap((hours) => hoursOf(hours, language)),
    ...listOf(thing.openingHours).flatMap((hours) => readHours(line(hours), language)),
  ];
  if (rows.length === 0) return '';
  const table = rows.map(([days, hours]) => `<tr><th>${days}</th><td>${hours}</td></tr>`).join('');
  return (
    description(thing) +
    paragraph(joinLines(addressOf(thing))) +
    paragraph(line(thing.telephone)) +
    `<table>${table}</table>`
  );
}

/** Days and hours as HTML. */
type Hours = readonly (readonly [days: string, hours: string])[];

function hoursOf({ dayOfWeek, opens, closes }: JsonObject, language: string): Hours {
  const [from = '', to = ''] = [opens, closes].map((time) => line(time).replace(/^(\d\d:\d\d):\d\d$/, '$1'));
  // search engines ask for this on days without opening hours
  const hours = from === '00:00' && to === '00:00' ? '–' : renderClocks(`${from} – ${to}`, language);
  return lines(dayOfWeek).map((day) => {
    const name = day.replace(/^.*\//, '');
    return [DAYS.includes(name) ? renderDay(DAYS.indexOf(name), language) : escapeHtml(day), hours] as const;
  });
}

/** Reads hours such as `Mo-Fr 09:00-17:00`. */
function readHours(text: string, language: string): Hours {
  const [, days = '', hours = ''] = /^([A-Za-z, -]{2,40})\s+(\d\d:\d\d.*)$/.exec(text) ?? [];
  const named = days
    .replace('-', ' – ')
    .replace(/[A-Z][a-z]/g, (code) => (DAY_CODES.includes(code) ? renderDay(DAY_CODES.indexOf(code), language) : code));
  return hours === '' ? [] : [[named, renderClocks(hours.replace('-', ' – '), language)]];
}

/** Renders a text with times of the day. */
function renderClocks(text: string, language: string): string {
  return escapeHtml(text).replace(/\b(?:[01]\d|2[0-3]):[0-5]\d\b/g, (datetime) =>
    renderTime({ date: new Date(`2024-01-01T${datetime}Z`), hasTime: true, datetime }, 'clock', language),
  );
}

/** @param index from Monday */
function renderDay(index: number, language: string): string {
  const date = new Date(Date.UTC(2024, 0, 1 + index));
  return renderTime({ date, hasTime: false, datetime: dayOf(date) }, 'weekday', language);
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

interface PointInTime {
  /** By the clock of the place. */
  readonly date: Date;
  readonly hasTime: boolean;
  readonly datetime: string;
}

function readTime(text: string | null): PointInTime | null {
  if (text === null) return null;
  const hasTime = !/^\d{4}-\d\d-\d\d$/.test(text);
  const date = new Date(hasTime ? text.replace(/(?:Z|[+-]\d\d:?\d\d)?$/, /\dT\d/.test(text) ? 'Z' : ' UTC') : text);
  if (Number.isNaN(date.getTime())) return null;
  const isIso = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?$/.test(text);
  return { date, hasTime, datetime: isIso || !hasTime ? text : date.toISOString().slice(0, 16) };
}

/** Renders a time in the language of the page. The frame shows it in the language of the reader. */
export function renderTime({ date, hasTime, datetime }: PointInTime, form: TimeForm, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    ...(form === 'weekday' && { weekday: 'long' }),
    ...(form === 'moment' && { dateStyle: 'full' }),
    ...(hasTime && { timeStyle: 'short' }),
  });
  const marker = new Markup(`${MARKER}="${form}"`);
  return html`<time datetime="${datetime}" lang="${language}" ${marker}>${format.format(date)}</time>`.text;
}

type TimeForm = 'moment' | 'clock' | 'weekday';

function priceOf(offer: JsonObject, language: string): string {
  const price = line(offer.price) || line(offer.lowPrice);
  const currency = line(offer.priceCurrency);
  if (price === '' || Number.isNaN(Number(price)) || !/^[A-Z]{3}$/.test(currency)) return '';
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(price));
}

/** Writes a duration such as `PT1H30M` as `1:30 h`. */
function durationOf(text: string): string {
  const [whole, hours = '0', minutes = '0'] = /^P(?:0D)?T(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:0S)?$/.exec(text) ?? [];
  if (whole === undefined) return text.startsWith('P') && /\d/.test(text) ? '' : text;
  return Number(hours) > 0 ? `${Number(hours)}:${minutes.padStart(2, '0')} h` : `${Number(minutes)} min`;
}

function addressOf({ address }: JsonObject): readonly unknown[] {
  if (!isObject(address)) return [address];
  return [
    address.streetAddress,
    [address.postalCode, address.addressLocality].map(line).join(' ').trim(),
    address.addressCountry,
  ];
}

function namesOf(value: unknown): string {
  return listOf(value)
    .map((one) => line(isObject(one) ? one.name : one))
    .filter((name) => name !== '')
    .join(', ');
}

function description(thing: JsonObject): string {
  return toMarkup(findText(thing.description) ?? '');
}

function joinLines(values: readonly unknown[]): string {
  return values
    .map(line)
    .filter((text) => text !== '')
    .join(', ');
}

function paragraph(text: string, isEscaped = true): string {
  return text === '' ? '' : `<p>${isEscaped ? escapeHtml(text) : text}</p>`;
}

function list(name: 'ul' | 'ol', items: readonly string[]): string {
  return items.length === 0 ? '' : `<${name}>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</${name}>`;
}

function listOf(value: unknown): readonly unknown[] {
  return (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).slice(0, MAX_ITEMS);
}

function lines(value: unknown): readonly string[] {
  return listOf(value)
    .map((one) => line(isObject(one) ? one.name : one))
    .filter((text) => text !== '');
}

function line(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : findText(Array.isArray(value) ? value.at(-1) : value);
  return plainText(decodeReferences(text ?? '').replace(/<[^>]{0,500}>/g, ' '), MAX_LINE_LENGTH) ?? '';
}
