import type { Language } from '#platform/language.ts'
import { type ReferenceWords, referenceWords } from '../../text/reference.ts'
import { curlOf, methodOf } from './curl.ts'
import type { Answer, Body, Entry, Group, Row, Rule, Way } from './openapi-view.ts'
import type { RealThings } from './real-things.ts'
import { Code, inEnglish } from './reference-parts.tsx'
import { readableJson } from './shown-json.ts'

/** The operations of a group, one below the other. */
export function Operations({
  language,
  origin,
  group,
  things
}: {
  language: Language
  origin: string
  group: Group
  things: RealThings
}) {
  const shown: Shown = { answers: new Map(), bodies: [] }
  return (
    <>
      {group.entries.map(entry => (
        <Operation key={entry.anchor} language={language} origin={origin} entry={entry} things={things} shown={shown} />
      ))}
    </>
  )
}

/** What is on the page already, with the entry that it belongs to: it is not said twice. */
interface Shown {
  /** Examples, and the things in a list that is one. */
  answers: Map<string, { entry: Entry; isListed: boolean }>
  /** Fields of a body, but whether they must be there. */
  bodies: { entry: Entry; rows: string[] }[]
}

function Operation({
  language,
  origin,
  entry,
  things,
  shown
}: {
  language: Language
  origin: string
  entry: Entry
  things: RealThings
  shown: Shown
}) {
  const words = referenceWords[language]
  const { anchor, summary, description, ways, roles, parameters, body, answers } = entry
  return (
    <section class="operation" id={anchor} aria-labelledby={`${anchor}-title`}>
      <h2 id={`${anchor}-title`}>
        <a href={`#${anchor}`}>{inEnglish(language, summary)}</a>
      </h2>
      {ways.map(way => (
        <WayLine key={way.path} words={words} way={way} own={anchor} />
      ))}
      <p class="operation-who">
        {roles.length === 0 ? words.anybody : words.needsKey}
        {roles.map(role => (
          <code key={role}>{role}</code>
        ))}
      </p>
      {description === '' ? null : <p>{inEnglish(language, description)}</p>}
      {ways.map((way, index) => (
        <Code
          key={way.path}
          language={language}
          id={`${anchor}-curl${index === 0 ? '' : index}`}
          text={curlOf(origin, entry, way, things)}
          label={words.copyLine}
        />
      ))}
      <Rows language={language} caption={words.parameters} rows={parameters} />
      {body === undefined ? null : <BodyBox language={language} entry={entry} body={body} shown={shown} />}
      {answers.map(answer => (
        <AnswerBox key={answer.status} language={language} entry={entry} answer={answer} shown={shown} />
      ))}
    </section>
  )
}

/** PATCH /events/{id}, and that PUT and POST do the same. */
function WayLine({ words, way, own }: { words: ReferenceWords; way: Way; own: string }) {
  const main = methodOf(way)
  const others = way.methods.filter(({ method }) => method !== main)
  return (
    <p class="operation-way">
      {way.methods
        .filter(({ anchor }) => anchor !== own)
        .map(({ anchor }) => (
          <span key={anchor} id={anchor} />
        ))}
      <span class={`method method-${main.toLowerCase()}`}>{main}</span> <code>{withBreaks(way.path)}</code>
      {others.length === 0 ? null : (
        <span class="operation-same">{words.sameBy(others.map(({ method }) => method))}</span>
      )}
    </p>
  )
}

/** Long paths break after a slash. */
function withBreaks(path: string) {
  return path.split('/').flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, `/${part}`]))
}

function Rows({ language, caption, rows }: { language: Language; caption: string; rows: Row[] }) {
  if (rows.length === 0) return null
  const words = referenceWords[language]
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{words.columns.name}</th>
          <th scope="col">{words.columns.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.place + row.name}>
            <th scope="row">
              <code>{row.name}</code> <i>{row.type}</i>
              {words.places[row.place] === '' ? null : <span>{words.places[row.place]}</span>}
              {row.required && row.place !== 'path' ? <b>{words.required}</b> : null}
            </th>
            <td>
              {inEnglish(language, row.description)}
              {row.rules.length === 0 ? null : (
                <small>{row.rules.map(rule => ruleText(words, rule)).join(' · ')}</small>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ruleText({ rules }: ReferenceWords, rule: Rule): string {
  if (rule.kind === 'oneOf') return `${rules.oneOf} ${rule.values.map(value => value || '""').join(', ')}`
  if (rule.kind === 'default') return `${rules.default} ${rule.value}`
  if (rule.kind === 'format') return `${rules.format} ${rule.name}`
  return rules[rule.kind](rule.min, rule.max)
}

/** The fields of a change are those of what is made: only what must be there differs. */
function BodyBox({ language, entry, body, shown }: { language: Language; entry: Entry; body: Body; shown: Shown }) {
  const words = referenceWords[language]
  const rows = body.rows.map(({ required: _required, ...row }) => JSON.stringify(row))
  const earlier = shown.bodies.find(known => known.rows.every(row => rows.includes(row)))
  if (earlier === undefined) shown.bodies.push({ entry, rows })
  const further = body.rows.filter((_, index) => earlier?.rows.includes(rows[index] ?? '') !== true)
  return (
    <>
      {earlier === undefined ? null : (
        <p>
          <strong>{words.body}</strong>: {words.fieldsAs} <Link language={language} entry={earlier.entry} />;{' '}
          {words.allRequired(body.rows.filter(({ required }) => required).map(({ name }) => name))}
        </p>
      )}
      <Rows language={language} caption={earlier === undefined ? words.body : words.further} rows={further} />
      {body.description === '' ? null : <p class="small">{inEnglish(language, body.description)}</p>}
    </>
  )
}

function Link({ language, entry: { anchor, summary } }: { language: Language; entry: Entry }) {
  return <a href={`#${anchor}`}>{inEnglish(language, summary)}</a>
}

/** Longer ones are folded. */
const linesOpenMax = 16

function AnswerBox({
  language,
  entry,
  answer: { status, type, example },
  shown
}: {
  language: Language
  entry: Entry
  answer: Answer
  shown: Shown
}) {
  const words = referenceWords[language]
  const head = (
    <>
      {words.answer} <code>{status}</code>
    </>
  )
  const key = JSON.stringify(example)
  const earlier = shown.answers.get(key)
  if (example === undefined) {
    return (
      <p class="answer">
        {head} {type === '' ? words.noContent : words.fileOf(type)}
      </p>
    )
  }
  if (earlier !== undefined) {
    return (
      <p class="answer">
        {head} {earlier.isListed ? words.oneOfList : words.asAbove} <Link language={language} entry={earlier.entry} />
      </p>
    )
  }
  shown.answers.set(key, { entry, isListed: false })
  for (const one of listedIn(example)) shown.answers.set(JSON.stringify(one), { entry, isListed: true })
  const text = readableJson(example)
  return (
    <details class="answer" open={text.split('\n').length <= linesOpenMax}>
      <summary>{head}</summary>
      <Code language={language} id={`${entry.anchor}-answer`} text={text} label={words.copyAnswer} />
    </details>
  )
}

/** The things in a list, or in an answer around one. */
function listedIn(example: unknown): object[] {
  const lists = Array.isArray(example) ? [example] : Object.values(example ?? {}).filter(Array.isArray)
  return lists.flat().filter(one => typeof one === 'object' && one !== null && Object.keys(one).length > 3)
}
