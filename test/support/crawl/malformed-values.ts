// Malformed values, and their required outcomes.
import type { Field, Schema } from './route-crawler.ts'

/** Refused with this code at the field, or stored and read back (as sent, or as this value). */
export type Outcome = { refused: string } | { reads: unknown }

export interface MalformedRow {
  what: string
  /** The value as JSON text; undefined leaves the field out. */
  json: string | undefined
  outcome: Outcome
}

// biome-ignore format: a list
type Kind = 'line' | 'text' | 'secret' | 'email' | 'money' | 'iban' | 'instant' | 'zone' | 'currency' | 'colour' | 'address' | 'receiver' | 'country' | 'uuid' | 'day' | 'creditorId' | 'signature' | 'receiptPrefix' | 'ledgerAccount' | 'profile' | 'pageSlug' | 'pattern' | 'choice' | 'boolean' | 'number' | 'object' | 'list'

function getKind({ pointer, schema }: Field): Kind {
  const types = [schema.type].flat()
  if (schema['x-money'] !== undefined) return 'money'
  if (schema['x-iban'] === true || schema['x-ibanForm'] === true) return 'iban'
  if (schema['x-instant'] === true) return 'instant'
  if (schema['x-zone'] === true) return 'zone'
  if (schema['x-currency'] === true) return 'currency'
  if (schema['x-colour'] === true) return 'colour'
  if (schema['x-address'] === true) return 'address'
  if (schema['x-receiver'] === true) return 'receiver'
  if (schema['x-country'] === true) return 'country'
  if (schema['x-uuid'] !== undefined) return 'uuid'
  if (schema['x-day'] === true) return 'day'
  if (schema['x-creditorId'] === true) return 'creditorId'
  if (schema['x-signature'] === true) return 'signature'
  if (schema['x-receiptPrefix'] === true) return 'receiptPrefix'
  if (schema['x-ledgerAccount'] === true) return 'ledgerAccount'
  if (schema['x-profile'] === true) return 'profile'
  if (schema['x-pageSlug'] === true) return 'pageSlug'
  if (schema.pattern !== undefined) return 'pattern'
  if (schema.writeOnly === true) return 'secret'
  if (schema.format === 'email') return 'email'
  if (schema.enum !== undefined) return 'choice'
  if (schema['x-line'] === true) return 'line'
  if (schema['x-text'] === true) return 'text'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('number') || types.includes('integer')) return 'number'
  if (types.includes('object')) return 'object'
  if (types.includes('array')) return 'list'
  const plain = types.includes('string') ? ' User text needs `line` or `text`, which refuse control characters.' : ''
  throw new Error(
    `${pointer}: test/support/crawl/malformed-values.ts has no row for ${JSON.stringify(schema)}.${plain}`
  )
}

/** The error code of each kind for other text. */
const faultByKind: Record<Exclude<Kind, 'line' | 'text' | 'secret'>, string> = {
  email: 'email',
  money: 'not-a-number',
  iban: 'iban-form',
  instant: 'date-time',
  zone: 'time-zone',
  currency: 'currency',
  colour: 'colour',
  address: 'web-address',
  receiver: 'web-address',
  country: 'country',
  uuid: 'uuid',
  day: 'date',
  creditorId: 'creditor-id',
  signature: 'signature',
  receiptPrefix: 'receipt-prefix',
  ledgerAccount: 'ledger-account',
  profile: 'https-address',
  pageSlug: 'slug',
  pattern: 'pattern',
  choice: 'not-allowed',
  boolean: 'type',
  number: 'type',
  object: 'type',
  list: 'type'
}

/** Which of two codes is returned is not specified. */
export const any = 'any code'

const same = 'is kept as it is'
const blank = 'counts as empty'
const control = 'control-character'

/** Texts, with the outcome for a single-line and for a multi-line field. */
export const texts: [what: string, json: string, line: string, text: string][] = [
  ['right-to-left text', '"مدرسة الموسيقى"', same, same],
  ['a mark of direction inside', '"Ada \\u200fعيدا"', same, same],
  ['the override of direction', '"Ada \\u202egnp.exe"', control, control],
  ['an isolate of direction', '"Ada \\u2066x\\u2069"', control, control],
  ['a character without width', '"Ada\\u200bLovelace"', same, same],
  ['only characters without width', '"\\u200b\\u200d\\ufeff"', blank, blank],
  ['nothing', '""', blank, blank],
  ['blanks', '"  \\u00a0\\u3000 "', blank, blank],
  ['a bell', '"Ada\\u0007"', control, control],
  ['a delete character', '"Ada\\u007fx"', control, control],
  ['a C1 control character', '"Ada\\u0085x"', control, control],
  ['a terminal sequence', '"\\u001b[31mAda"', control, control],
  ['two lines', '"Ada\\nLovelace"', control, same],
  ['a header behind a line break', '"Ada\\r\\nSet-Cookie: a=b"', control, same],
  ['an emoji of several parts', '"👩‍👩‍👧‍👦 🏳️‍🌈"', same, same],
  ['an escaped pair of surrogates', '"\\ud83d\\ude00"', same, same],
  ['combining marks', '"e\\u0301 Z\\u0351\\u036b\\u0343\\u036a"', same, same],
  ['SQL', `"'; drop table fundraising.campaigns; --"`, same, same],
  ['more SQL', `"\\" or 1=1 /* $1 $$ \\\\' */"`, same, same],
  ['format strings', '"%s%n%x %00 {0} \\u0024{7*7} {{7*7}} #{7*7}"', same, same],
  ['a path', '"../../../../etc/passwd"', same, same],
  ['HTML', '"<script>alert(1)</script><img src=x onerror=alert(1)>"', same, same],
  ['entities', '"&lt;b&gt; &amp;amp; &#0;"', same, same],
  ['a formula', '"=HYPERLINK(1)"', same, same],
  ['a lookup', '"\\u0024{jndi:ldap://127.0.0.1/a}"', same, same],
  ['the name of the prototype', '"__proto__"', same, same],
  ['the word null', '"null"', same, same],
  ['a word and a member of every object', '"constructor"', same, same]
]

/** Values that every field refuses. */
export const forAll: [what: string, json: string, code: string][] = [
  ['the NUL character', '"a\\u0000b"', 'nul-character'],
  ['half a character', '"a\\ud800b"', 'lone-surrogate'],
  ['the other half', '"\\udc00"', 'lone-surrogate'],
  ['two halves in the wrong order', '"\\ude00\\ud83d"', 'lone-surrogate'],
  ['lists in lists, ten thousand deep', '['.repeat(10_000) + ']'.repeat(10_000), 'too-deep'],
  ['objects in objects, ten thousand deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'too-deep'],
  ['a prototype', '{"__proto__": {"polluted": true}}', 'forbidden-name']
]

const types: [what: string, json: string, type: string][] = [
  ['a number', '1', 'number'],
  ['zero', '0', 'number'],
  ['a negative number', '-1', 'number'],
  ['a number beyond all numbers', '1e400', 'number'],
  ['true', 'true', 'boolean'],
  ['false', 'false', 'boolean'],
  ['an empty list', '[]', 'array'],
  ['a list of texts', '["a"]', 'array'],
  ['a list in a list', '[[]]', 'array'],
  ['an object', '{"a": 1}', 'object'],
  [
    'an object with members of every object',
    '{"toString": 1, "constructor": {"prototype": {"polluted": true}}}',
    'object'
  ]
]

export const many = 1_000_000

/** Amounts, with the error code or the stored number. */
const amounts: [what: string, json: string, outcome: string | number][] = [
  ['minus one', '-1', 'too-small'],
  ['minus a cent', '-0.01', 'too-small'],
  ['minus one as text', '"-1"', 'too-small'],
  ['three decimals', '20.005', 'too-many-decimals'],
  ['a third', '6.333333333333333', 'too-many-decimals'],
  ['nearly nothing', '1e-7', 'too-many-decimals'],
  ['the smallest number', '5e-324', 'too-many-decimals'],
  ['three decimals as text', '"20.005"', 'too-many-decimals'],
  ['a comma', '"20,50"', 'comma'],
  ['thousands with a comma', '"1,000.50"', 'comma'],
  ['one cent too much', '1000000000', 'too-large'],
  ['more than is counted exactly', '9007199254740993', 'too-large'],
  ['a huge number', '1e21', 'too-large'],
  ['the largest number', '1.7976931348623157e308', 'too-large'],
  ['beyond all numbers', '1e400', 'too-large'],
  ['more than a bigint', '"99999999999999999999"', 'too-large'],
  ['a huge negative number', '-1e21', any],
  ['less than all numbers', '-1e400', any],
  ['less than a bigint', '"-99999999999999999999"', any],
  ['a million digits', `"${'9'.repeat(many)}"`, 'too-large'],
  ['a million decimals', `"1.${'0'.repeat(many)}"`, 'too-many-decimals'],
  ['NaN as text', '"NaN"', 'not-a-number'],
  ['Infinity as text', '"Infinity"', 'not-a-number'],
  ['an exponent as text', '"1e2"', 'not-a-number'],
  ['hexadecimal text', '"0x10"', 'not-a-number'],
  ['a plus', '"+20"', 'not-a-number'],
  ['a point at the end', '"20."', 'not-a-number'],
  ['a point at the start', '".5"', 'not-a-number'],
  ['a currency', '"20 €"', 'not-a-number'],
  ['Arabic digits', '"٢٠"', 'not-a-number'],
  ['wide digits', '"２０"', 'not-a-number'],
  ['two numbers', '"20 30"', 'not-a-number'],
  ['a whole amount as text', '"20"', 20],
  ['cents as text', '"20.50"', 20.5],
  ['blanks around the text', '"  20.5  "', 20.5],
  ['an exponent as number', '2e1', 20],
  ['decimals that are zero', '20.000', 20],
  ['the largest amount', '999999999.99', 999999999.99],
  ['an amount that has no exact number', '1000000.29', 1000000.29]
]

const instants: [what: string, json: string, reads?: string][] = [
  ['a day that does not exist', '"2026-02-30T00:00:00Z"'],
  ['an hour that does not exist', '"2026-01-01T25:00:00Z"'],
  ['a second that computers do not have', '"2026-12-31T23:59:60Z"'],
  ['a day', '"2026-01-01"'],
  ['a time without offset', '"2026-01-01T00:00:00"'],
  ['the year 1', '"0001-01-01T00:00:00Z"'],
  ['a year of five digits', '"+12026-01-01T00:00:00Z"'],
  ['the infinity of the database', '"infinity"'],
  ['now', '"now"'],
  ['an epoch', '"1767225600"'],
  ['two moments', '"2026-01-01T00:00:00Z 2026-01-01T00:00:00Z"'],
  ['another offset', '"2099-06-01T12:00:00+02:00"', '2099-06-01T10:00:00.000Z'],
  ['a million decimals', `"2099-06-01T12:00:00.${'0'.repeat(many)}Z"`, '2099-06-01T12:00:00.000Z']
]

const ibans: [what: string, json: string, reads?: string][] = [
  ['only a country', '"DE"'],
  ['a sign that is no letter', '"DE8937040044053201300!"'],
  ['letters of another script', '"DЕ89370400440532013000"'],
  ['wide digits', '"DE８９370400440532013000"'],
  ['one character too many', `"DE89${'0'.repeat(31)}"`],
  ['small letters and blanks', '"de89 3704 0044 0532 0130 00"', 'DE89370400440532013000']
]

const emails: [what: string, json: string, reads?: string][] = [
  ['no address', '"ada"'],
  ['two addresses', '"ada@example.org, eve@example.org"'],
  ['a header', '"ada@example.org\\nBcc: eve@example.org"'],
  ['a name with an address', '"Ada <ada@example.org>"'],
  ['a million labels', `"ada@${'a.'.repeat(many / 2)}"`],
  ['a million hyphens', `"ada@a${'-'.repeat(many)}"`],
  ['an address with a plus', '"ada+school@mail.example.org"', 'ada+school@mail.example.org']
]

const zones: [what: string, json: string, reads?: string][] = [
  ['an unknown place', '"Mars/Olympus"'],
  ['a path to a file', '"/etc/localtime"'],
  ['small letters', '"europe/berlin"', 'Europe/Berlin']
]

const currencies: [what: string, json: string, reads?: string][] = [
  ['small letters', '"eur"'],
  ['a currency without cents', '"JPY"'],
  ['a sign', '"€"'],
  ['another currency', '"CHF"', 'CHF']
]

const colours: [what: string, json: string, reads?: string][] = [
  ['a short one', '"#fff"'],
  ['a word', '"red"'],
  ['more than a colour', '"#ffffff;background:url(//evil.example)"'],
  ['one with transparency', '"#ffffff00"'],
  ['large letters', '"#FFFFFF"', '#FFFFFF']
]

const addresses: [what: string, json: string, reads?: string][] = [
  ['a script', '"javascript:alert(1)"'],
  ['data', '"data:text/html,<b>x</b>"'],
  ['another host in disguise', '"//evil.example/logo.svg"'],
  ['another host behind a backslash', '"/\\\\evil.example/logo.svg"'],
  ['with credentials', '"https://me:secret@example.org/"'],
  ['no host', '"https://"'],
  ['a quote', '"https://example.org/\\" onerror=alert(1)"'],
  ['a path', '"/media/logo.svg"', '/media/logo.svg']
]

const receivers: [what: string, json: string, reads?: string][] = [
  ...addresses.filter(([, , reads]) => reads === undefined),
  ['a path', '"/hooks"'],
  ['a file', '"file:///etc/passwd"'],
  ['another port', '"https://example.org:8443/hook?a=%20b"', 'https://example.org:8443/hook?a=%20b'],
  ['large letters', '"HTTPS://Example.ORG/Hook"', 'https://example.org/Hook']
]

const profiles: [what: string, json: string, reads?: string][] = [
  ...addresses.filter(([, , reads]) => reads === undefined),
  ['a path', '"/profile"'],
  ['an address without encryption', '"http://mastodon.example/@ada"'],
  ['an address with an at sign', '"https://mastodon.example/@ada"', 'https://mastodon.example/@ada']
]

const pageSlugs: [what: string, json: string, reads?: string][] = [
  ['two hyphens', '"our--team"'],
  ['a hyphen at the end', '"our-team-"'],
  ['an umlaut', '"über-uns"'],
  ['a slash', '"our/team"'],
  ['a dot', '"team.html"']
]

const countries: [what: string, json: string, reads?: string][] = [
  ['three letters', '"DEU"'],
  ['one letter', '"D"'],
  ['letters of another script', '"DЕ"'],
  ['wide letters', '"ＤＥ"'],
  ['small letters', '"at"', 'AT']
]

const uuids: [what: string, json: string, reads?: string][] = [
  ['a letter that is no digit', '"01900000-0000-7000-8000-00000000000g"'],
  ['braces', '"{01900000-0000-7000-8000-000000000000}"'],
  ['no hyphens', '"01900000000070008000000000000000"']
]

const days: [what: string, json: string, reads?: string][] = [
  ['a day that does not exist', '"2026-02-30"'],
  ['a moment', '"2026-01-01T00:00:00Z"'],
  ['a German day', '"01.02.2026"'],
  ['the year 1', '"0001-01-01"'],
  ['the infinity of the database', '"infinity"'],
  ['a day in a leap year', '"2024-02-29"', '2024-02-29']
]

const creditorIds: [what: string, json: string, reads?: string][] = [
  ['wrong check digits', '"DE97ZZZ09999999999"'],
  ['one digit too few', '"DE98ZZZ0999999999"'],
  ['letters of another script', '"DЕ98ZZZ09999999999"'],
  ['wide digits', '"DE９８ZZZ09999999999"'],
  ['an IBAN', '"DE89370400440532013000"'],
  ['small letters and blanks', '"de98 abc0 9999 9999 99"', 'DE98ABC09999999999']
]

const signatures: [what: string, json: string, reads?: string][] = [
  ['text in base64', '"bm8gcGljdHVyZQ=="'],
  ['the beginning of a picture', '"iVBORw0KGgoAAAANSUhEUg=="'],
  ['a drawing with a script', '"PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"'],
  ['an address', '"data:image/png;base64,iVBORw0KGgo="']
]

const ledgerAccounts: [what: string, json: string, reads?: string][] = [
  ['three digits', '"123"'],
  ['nine digits', '"123456789"'],
  ['a sign', '"-945"'],
  ['foreign digits', '"٠٩٤٥"'],
  ['blanks around it', '" 0946 "', '0946']
]

const receiptPrefixes: [what: string, json: string, reads?: string][] = [
  ['a hyphen', '"A-B"'],
  ['an umlaut', '"Ä"'],
  ['wide letters', '"ＡＢ"'],
  ['eleven characters', '"ABCDEFGHIJK"'],
  ['small letters', '"ab1"', 'AB1']
]

/** Every malformed value for a field of a body. */
export function listMalformedRows(field: Field): MalformedRow[] {
  const kind = getKind(field)
  return [
    ...forAll.map(([what, json, code]): MalformedRow => ({ what, json, outcome: { refused: code } })),
    ...listOtherTypes(field, kind),
    ...listTexts(field, kind),
    ...listLengths(field, kind),
    ...listKindRows(field, kind)
  ]
}

function listOtherTypes({ pointer, required, nullable, schema }: Field, kind: Kind): MalformedRow[] {
  const own = [schema.type].flat()
  const refused = { refused: kind === 'choice' ? 'not-allowed' : 'type' }
  return [
    // A list without this item may be too short.
    ...(/\/\d+$/.test(pointer)
      ? []
      : [
          {
            what: 'missing',
            json: undefined,
            outcome: required ? { refused: 'required' } : { reads: undefined }
          }
        ]),
    { what: 'null', json: 'null', outcome: nullable ? { reads: blank } : refused },
    ...types
      .filter(([, , type]) => !own.includes(type) && !(type === 'number' && own.includes('integer')))
      .map(([what, json]): MalformedRow => ({ what, json, outcome: refused }))
  ]
}

function listTexts({ schema }: Field, kind: Kind): MalformedRow[] {
  return texts.map(([what, json, line, text]) => {
    if (kind === 'secret') return { what, json, outcome: getSecretOutcome(JSON.parse(json), schema) }
    // Some of them are short words, which are valid prefixes.
    const plain = String(JSON.parse(json)).trim()
    if (kind === 'receiptPrefix' && /^[A-Za-z0-9]{0,10}$/.test(plain)) {
      return { what, json, outcome: { reads: plain === '' ? blank : plain.toUpperCase() } }
    }
    // An empty one is derived from the title, and one that is taken gets a number.
    if (kind === 'pageSlug' && /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(plain)) {
      return { what, json, outcome: { reads: undefined } }
    }
    if (kind === 'pattern') return { what, json, outcome: getPatternOutcome(JSON.parse(json), schema) }
    const expected = kind === 'line' ? line : kind === 'text' ? text : faultByKind[kind]
    const isTooLong = [...plain].length > (schema.maxLength ?? Number.POSITIVE_INFINITY)
    if (expected === same)
      return { what, json, outcome: isTooLong ? { refused: 'too-long' } : { reads: JSON.parse(json) } }
    if (expected === blank)
      return { what, json, outcome: schema.minLength === 1 ? { refused: 'empty' } : { reads: blank } }
    return { what, json, outcome: { refused: expected } }
  })
}

/** The same pattern as in the schema: what fits it is taken. */
function getPatternOutcome(text: string, { pattern = '', maxLength = Number.POSITIVE_INFINITY }: Schema): Outcome {
  if (!new RegExp(pattern, 'u').test(text)) return { refused: 'pattern' }
  return text.length > maxLength ? { refused: 'too-long' } : { reads: undefined }
}

/** Stored as it is, and never returned. */
function getSecretOutcome(text: string, { minLength = 0 }: Schema): Outcome {
  if ([...text].length >= minLength) return { reads: undefined }
  return { refused: 'too-short' }
}

function listLengths({ schema }: Field, kind: Kind): MalformedRow[] {
  const { maxLength } = schema
  const row = (what: string, text: string, outcome: Outcome): MalformedRow => ({
    what,
    json: JSON.stringify(text),
    outcome
  })
  const tooLong = { refused: 'too-long' }
  if (kind === 'secret') {
    const longest = '😀'.repeat(maxLength ?? 0)
    return [
      row('one emoji too many', `${longest}😀`, tooLong),
      row('as many emojis as characters may be', longest, { reads: undefined }),
      row('a megabyte of text', 'x'.repeat(many), tooLong)
    ]
  }
  if (kind === 'pageSlug') return [row('a megabyte of text', 'x'.repeat(many), tooLong)]
  if (kind === 'pattern')
    return [row('a megabyte of text', 'x'.repeat(many), getPatternOutcome('x'.repeat(many), schema))]
  if (kind !== 'line' && kind !== 'text') {
    const megabyte = row('a megabyte of text', 'x'.repeat(many), { refused: faultByKind[kind] })
    return kind === 'email'
      ? [megabyte, row('a long address', `ada@${'a'.repeat(maxLength ?? 0)}.org`, tooLong)]
      : [megabyte]
  }
  if (maxLength === undefined) throw new Error('A user text needs a maxLength.')
  const longest = '😀'.repeat(maxLength)
  const blanks = `a${' '.repeat(80_000)}a`
  return [
    row('one character too many', 'x'.repeat(maxLength + 1), tooLong),
    row('one emoji too many', `${longest}😀`, tooLong),
    row('as many emojis as characters may be', longest, { reads: longest }),
    row('a megabyte of text', 'x'.repeat(many), tooLong),
    // Few enough that a pattern of quadratic time takes seconds and not hours.
    row('eighty thousand blanks inside', blanks, blanks.length > maxLength ? tooLong : { reads: blanks }),
    row('a megabyte of blanks around', `${' '.repeat(many / 2)}Ada${' '.repeat(many / 2)}`, { reads: 'Ada' })
  ]
}

function listKindRows({ schema }: Field, kind: Kind): MalformedRow[] {
  const refused = { refused: faultByKind[kind as keyof typeof faultByKind] }
  const readOrRefused = ([what, json, reads]: [string, string, string?]): MalformedRow => ({
    what,
    json,
    outcome: reads === undefined ? refused : { reads }
  })
  const mayBeNegative = (schema['x-money'] ?? 0) < 0
  switch (kind) {
    case 'money':
      return [
        // A field that may be negative has no minimum, and whether it is accepted depends on stored data.
        ...amounts
          .filter(([, , expected]) => !mayBeNegative || expected !== 'too-small')
          .map(([what, json, expected]): MalformedRow => {
            return { what, json, outcome: typeof expected === 'number' ? { reads: expected } : { refused: expected } }
          }),
        ...['0', '-0', '"-0.00"'].map((json): MalformedRow => {
          return {
            what: `zero as ${json}`,
            json,
            outcome: schema['x-money'] === 0 ? { reads: 0 } : { refused: mayBeNegative ? 'zero' : 'too-small' }
          }
        })
      ]
    case 'instant':
      return instants.map(readOrRefused)
    case 'iban':
      return ibans.map(readOrRefused)
    case 'email':
      return emails.map(readOrRefused)
    case 'zone':
      return zones.map(readOrRefused)
    case 'currency':
      return currencies.map(readOrRefused)
    case 'colour':
      return colours.map(readOrRefused)
    case 'address':
      return addresses.map(readOrRefused)
    case 'receiver':
      return receivers.map(readOrRefused)
    case 'profile':
      return profiles.map(readOrRefused)
    case 'pageSlug':
      return pageSlugs.map(readOrRefused)
    case 'country':
      return countries.map(readOrRefused)
    case 'uuid':
      return uuids.map(readOrRefused)
    case 'day':
      return days.map(readOrRefused)
    case 'creditorId':
      return creditorIds.map(readOrRefused)
    case 'signature':
      return signatures.map(readOrRefused)
    case 'ledgerAccount':
      return ledgerAccounts.map(readOrRefused)
    case 'receiptPrefix':
      return receiptPrefixes.map(readOrRefused)
    case 'choice':
      return (schema.enum ?? []).flatMap(word => [
        // Not every value has an upper and a lower case.
        ...(toOtherCase(String(word)) === word
          ? []
          : [{ what: `${word} in the other case`, json: JSON.stringify(toOtherCase(String(word))), outcome: refused }]),
        { what: `${word} with a blank`, json: JSON.stringify(`${word} `), outcome: refused },
        { what: `${word} in a list`, json: JSON.stringify([word]), outcome: refused }
      ])
    case 'boolean':
      return ['"true"', '"false"', '"on"', '"1"'].map(json => ({ what: `${json} as text`, json, outcome: refused }))
    default:
      return []
  }
}

const toOtherCase = (word: string) => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase())

/** True if the field has the expected value. A cleared field is null, absent, or an empty text, list or object. */
export function isReadAs(outcome: { reads: unknown }, value: unknown): boolean {
  if (outcome.reads === undefined) return true
  // Without a bank, that of the IBAN is filled in.
  if (outcome.reads === blank) return value == null || value === 'Commerzbank' || Object.keys(value).length === 0
  return Object.is(outcome.reads, value)
}

interface MalformedBody {
  what: string
  /** Built from a valid body when it is sent, because some are large. */
  payload(valid: string): string | Buffer
  /** The required error code; undefined if it is accepted. */
  code: string | undefined
}

/** Malformed bodies. All routes parse them with the same code, so each route gets every fourth of the large ones. */
export function listMalformedBodies(place: number): MalformedBody[] {
  return malformedBodies.filter(({ isLarge }, index) => !isLarge || index % 4 === place % 4)
}

const malformedBodies = ((): (MalformedBody & { isLarge: boolean })[] => {
  const row =
    (code?: string, isLarge = false) =>
    (what: string, payload: MalformedBody['payload']) => {
      return { what, payload, code, isLarge }
    }
  const broken = row('malformed-json')
  const wrong = row('invalid-input')
  const large = row('body-too-large', true)
  const taken = row()
  const after = (valid: string) => `, ${valid.slice(1)}`
  const before =
    (begin: string): MalformedBody['payload'] =>
    valid =>
      begin + after(valid)
  const inText =
    (...bytes: number[]): MalformedBody['payload'] =>
    valid =>
      Buffer.concat([Buffer.from('{"a": "'), Buffer.from(bytes), Buffer.from(`"${after(valid)}`)])
  return [
    broken('half of it', valid => valid.slice(0, -1)),
    broken('an end too many', valid => `${valid}}`),
    broken('two of it', valid => valid + valid),
    broken('a comma at the end', valid => `${valid.slice(0, -1)},}`),
    broken('single quotes', () => `{'a': 1}`),
    broken('no quotes', () => '{a: 1}'),
    broken('a comment', valid => `/* */ ${valid}`),
    broken('NaN', before(`{"a": NaN`)),
    broken('undefined', () => 'undefined'),
    broken('blanks', () => '   '),
    broken('a raw line break in a text', before(`{"a": "\n"`)),
    broken('a raw NUL', before(`{"a": "\u0000"`)),
    broken('a bad escape', before(`{"a": "\\x41"`)),
    broken('bytes that are not UTF-8', inText(0xff)),
    broken('half a character in bytes', inText(0xed, 0xa0, 0x80)),
    broken('an overlong NUL', inText(0xc0, 0x80)),
    broken('UTF-16', valid => Buffer.from(valid, 'utf16le')),
    row('malformed-json', true)('a million brackets', () => '['.repeat(many)),
    broken('XML', () => '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    broken('a form', () => 'name=Ada&amount=20'),
    wrong('nothing', () => ''),
    wrong('null', () => 'null'),
    wrong('a number', () => '1'),
    wrong('beyond all numbers', () => '1e400'),
    wrong('a text', () => '"text"'),
    wrong('a list', () => '[]'),
    wrong('it in a list', valid => `[${valid}]`),
    row('invalid-input', true)('five hundred thousand lists', () => '['.repeat(many / 2) + ']'.repeat(many / 2)),
    wrong('a prototype', before(`{"__proto__": {"polluted": true}`)),
    wrong('a prototype in disguise', before(`{"__pro\\u0074o__": {"polluted": true}`)),
    wrong('NUL in a name', before(`{"a\\u0000": 1`)),
    wrong('half a character in a name', before(`{"a\\ud800": 1`)),
    wrong('NUL in a field that is unknown', before(`{"a": "\\u0000"`)),
    large('two megabytes', valid => `{"a": "${'x'.repeat(2 * many)}"${after(valid)}`),
    large('two megabytes that are not JSON', () => 'x'.repeat(2 * many)),
    taken('a field that is unknown', before(`{"nobodyKnowsThis": {"a": [1]}`)),
    taken('members of every object', before(`{"constructor": {"prototype": {"polluted": true}}, "toString": null`)),
    row(undefined, true)(
      'a megabyte of a field that is unknown',
      valid => `{"a": "${'x'.repeat(many)}"${after(valid)}`
    ),
    row(undefined, true)('a long name that is unknown', valid => `{"${'x'.repeat(many)}": 1${after(valid)}`),
    row(undefined, true)(
      'many fields that is unknown',
      valid => `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}${after(valid)}`
    ),
    taken('a mark of byte order', valid => `\ufeff${valid}`)
  ]
})()

const words = (text: string) => text.trim().split(/\s+/)
const encoded = (...texts: string[]) => texts.map(text => encodeURIComponent(text))
const base64 = (...texts: string[]) => texts.map(text => Buffer.from(text).toString('base64url'))

export const wrongContentTypes = [
  undefined,
  '',
  'multipart/form-data; boundary=x',
  `application/${'x'.repeat(5000)}`,
  ...words(`text/plain text/json application/xml application/x-www-form-urlencoded application/jsonx json ;;; */*
    application/octet-stream application/json-patch+json`)
]

/** Ids of nothing, encoded for a path; where a number is expected, a UUID is malformed, and vice versa. */
export const malformedIds = [
  ...words(`0 -1 -0 01 +1 1.5 1e3 0x1 1%20 %201 abc null undefined NaN [1] 1,2 __proto__ constructor %F0%9F%98%80 %D9%A1
    9007199254740991 9007199254740993 9999999999999999999 %00 1%00 ..%2f ..%2f..%2fetc%2fpasswd %252e%252e % %zz %c0%ae %ff
    00000000-0000-0000-0000-000000000000 01900000-0000-7000-8000-000000000000 01900000-0000-7000-8000-00000000000g
    ffffffff-ffff-ffff-ffff-ffffffffffff {01900000-0000-7000-8000-000000000000} 0190000000007000800000000000000`),
  ...encoded("1' or '1'='1", '1; drop table fundraising.campaigns', '{"$gt": 0}', '%s%n', '١'),
  'a'.repeat(101),
  '1'.repeat(10_000)
]

/** Values of a query parameter, with the error code, or undefined if they may be accepted. */
export function listMalformedParameters(name: string, schema: Schema): [value: string, code: string | undefined][] {
  const all = (values: string[], code?: string) => values.map((value): [string, string | undefined] => [value, code])
  const encodedTexts = texts.map(([, json]) => encodeURIComponent(JSON.parse(json)))
  const tooLong = 'x'.repeat((schema.maxLength ?? 0) + 1)
  if (name === 'cursor') {
    return [
      ...all([...words('abc %00 0 -1 %ff %zz %F0%9F%98%80'), ''], 'cursor'),
      ...all(base64('-1', '1e9', "1' or '1'='1", '1\u0000', '9'.repeat(30), 'ffffffff'), 'cursor'),
      ...all([tooLong], 'too-long')
    ]
  }
  if (schema.type === 'integer') {
    return [
      ...all(words('0 -1 -9999999999999999999'), 'too-small'),
      ...all([String((schema.maximum ?? 0) + 1), ...words('9999999999999999999 1e300')], 'too-large'),
      ...all(['', ...words('abc 1.5 1,5 NaN true null [1] 1%00 %00 %D9%A1'), ...encoded("1' or 1=1")], 'type'),
      ...all(words('1e1 0x10 1e400 Infinity %201 -0 % %zz %ff'))
    ]
  }
  if (schema['x-instant'] === true) {
    const refused = instants.flatMap(([, json, reads]) => (reads === undefined ? encoded(JSON.parse(json)) : []))
    return all([...encodedTexts, ...refused, '%00', '%zz', '%ff'], 'date-time')
  }
  if (schema.enum !== undefined) return all([...encodedTexts, '%00', '%zz', '%ff'], 'not-allowed')
  if (schema['x-line'] !== true || schema.maxLength === undefined) {
    throw new Error(`${name}: text in a query needs \`line\`, which refuses NUL, and a maxLength.`)
  }
  return [
    ...all(['%00', 'a%00b', 'a%07b', 'a%0d%0ab', 'a%E2%80%AEb'], 'control-character'),
    ...all([tooLong, 'x'.repeat(100_000)], 'too-long'),
    ...all([...encodedTexts, ...words('% %zz %ff %c0%ae %ed%a0%80')])
  ]
}

const long = 'x'.repeat(10_000)

/** Header values that an HTTP parser accepts. */
export const malformedHeaders = [
  ...['', 'ÿþýü', 'a\tb', "' or 1=1 --", '%00%0d%0aSet-Cookie: a=b', 'de;q=NaN, en;q=1e400, *;q=-1'],
  ...words('\x24{jndi:ldap://127.0.0.1/a} , ,,,;;;=== ../../etc/passwd " """ -1 1e400 NaN *;q=0 __proto__'),
  ...[long, ','.repeat(10_000), '"1",'.repeat(3000)]
]

export const malformedIdempotencyKeys = ['', ' ', 'a b', 'a\tb', 'ÿþ', 'x'.repeat(256), long]

/** None of them is the version of an item. */
export const malformedVersions = [
  ...['', `"' or 1=1 --"`, 'ÿþ', long, '"99999",'.repeat(1500)],
  ...words(', 1 "" "abc" "0" "-1" "1.5" "1e0" "99999" "9999999999999999999" W/ "1 **')
]

export const malformedCredentials = [
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer null',
    'Bearer *',
    "Bearer ' or 1=1 --",
    'Bearer a b',
    'Bearer ÿþ',
    `Bearer ${long}`
  ],
  ...[32, 33].flatMap(length => ['kal', 'kls'].map(kind => `Bearer ${kind}_${'a'.repeat(10)}_${'a'.repeat(length)}`)),
  ...['admin:', 'admin:\u0000', 'no colon', ':'].map(text => `Basic ${Buffer.from(text).toString('base64')}`),
  ...['Basic', 'Basic !!!', 'Digest username="admin"', 'Negotiate abc', 'admin']
]
