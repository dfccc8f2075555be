import { getLocale, type Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { buildCurl, chooseMethod } from './curl.ts'
import { formatJson } from './format-json.ts'
import type {
  FieldRow,
  FieldRule,
  Group,
  OperationEntry,
  OperationRoute,
  RequestBodyView,
  ResponseExample
} from './openapi-view.ts'
import { Code, renderEnglish } from './reference-parts.tsx'
import type { SampleResources } from './sample-resources.ts'

export function Operations({
  language,
  origin,
  group,
  things
}: {
  language: Language
  origin: string
  group: Group
  things: SampleResources
}) {
  const shown: ShownExamples = { answers: new Map(), bodies: [] }
  return (
    <>
      {group.entries.map(entry => (
        <Operation key={entry.anchor} language={language} origin={origin} entry={entry} things={things} shown={shown} />
      ))}
    </>
  )
}

/** Examples already on the page, with their entry, to avoid repeating them. */
interface ShownExamples {
  /** Response examples, and the items of list responses. */
  answers: Map<string, { entry: OperationEntry; isListed: boolean }>
  /** Body fields, without whether they are required. */
  bodies: { entry: OperationEntry; rows: string[] }[]
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
  entry: OperationEntry
  things: SampleResources
  shown: ShownExamples
}) {
  const strings = getMessages('reference', language)
  const { anchor, summary, description, routes, roles, parameters, body, responses } = entry
  return (
    <section class="operation" id={anchor} aria-labelledby={`${anchor}-title`}>
      <h2 id={`${anchor}-title`}>
        <a href={`#${anchor}`}>{renderEnglish(language, summary)}</a>
      </h2>
      {routes.map(way => (
        <RouteLine key={way.path} language={language} way={way} own={anchor} />
      ))}
      <p class="operation-who">
        {roles.length === 0 ? strings.anybody : strings.needsKey}
        {roles.map(role => (
          <code key={role}>{role}</code>
        ))}
      </p>
      {description === '' ? null : <p>{renderEnglish(language, description)}</p>}
      {routes.map((way, index) => (
        <Code
          key={way.path}
          language={language}
          id={`${anchor}-curl${index === 0 ? '' : index}`}
          text={buildCurl(origin, entry, way, things)}
          label={strings.copyLine}
        />
      ))}
      <Rows language={language} caption={strings.parameters} rows={parameters} />
      {body === undefined ? null : <BodyBox language={language} entry={entry} body={body} shown={shown} />}
      {responses.map(answer => (
        <ResponseBox key={answer.status} language={language} entry={entry} answer={answer} shown={shown} />
      ))}
    </section>
  )
}

/** PATCH /events/{id}, with a note that PUT and POST are equivalent. */
function RouteLine({ language, way, own }: { language: Language; way: OperationRoute; own: string }) {
  const strings = getMessages('reference', language)
  const main = chooseMethod(way)
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
        <span class="operation-same">
          {strings.sameBy({
            methods: new Intl.ListFormat(getLocale(language), { type: 'conjunction' }).format(
              others.map(({ method }) => method)
            ),
            count: others.length
          })}
        </span>
      )}
    </p>
  )
}

/** Allows line breaks after slashes. */
function withBreaks(path: string) {
  return path.split('/').flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, `/${part}`]))
}

function Rows({ language, caption, rows }: { language: Language; caption: string; rows: FieldRow[] }) {
  if (rows.length === 0) return null
  const strings = getMessages('reference', language)
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{strings.columns.name}</th>
          <th scope="col">{strings.columns.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.place + row.name}>
            <th scope="row">
              <code>{row.name}</code> <i>{row.type}</i>
              {strings.places[row.place] === '' ? null : <span>{strings.places[row.place]}</span>}
              {row.required && row.place !== 'path' ? <b>{strings.required}</b> : null}
            </th>
            <td>
              {renderEnglish(language, row.description)}
              {row.rules.length === 0 ? null : (
                <small>{row.rules.map(rule => formatRule(strings, rule)).join(' · ')}</small>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatRule({ rules }: Messages<'reference'>, rule: FieldRule): string {
  if (rule.kind === 'oneOf') return `${rules.oneOf} ${rule.values.map(value => value || '""').join(', ')}`
  if (rule.kind === 'default') return `${rules.default} ${rule.value}`
  if (rule.kind === 'format') return `${rules.format} ${rule.name}`
  const { between, atLeast, atMost } = rules[rule.kind]
  const { min, max } = rule
  if (min !== undefined && max !== undefined) return between({ min, max })
  return min === undefined ? atMost({ max: max ?? 0 }) : atLeast({ min })
}

/** Create and update have the same body fields; only the required ones differ. */
function BodyBox({
  language,
  entry,
  body,
  shown
}: {
  language: Language
  entry: OperationEntry
  body: RequestBodyView
  shown: ShownExamples
}) {
  const strings = getMessages('reference', language)
  const rows = body.rows.map(({ required: _required, ...row }) => JSON.stringify(row))
  const earlier = shown.bodies.find(known => known.rows.every(row => rows.includes(row)))
  if (earlier === undefined) shown.bodies.push({ entry, rows })
  const required = body.rows.filter(row => row.required).map(({ name }) => name)
  const further = body.rows.filter((_, index) => earlier?.rows.includes(rows[index] ?? '') !== true)
  return (
    <>
      {earlier === undefined ? null : (
        <p>
          <strong>{strings.body}</strong>: {strings.fieldsAs} <Link language={language} entry={earlier.entry} />;{' '}
          {required.length === 0 ? strings.noneRequired : strings.allRequired({ names: required.join(', ') })}
        </p>
      )}
      <Rows language={language} caption={earlier === undefined ? strings.body : strings.further} rows={further} />
      {body.description === '' ? null : <p class="small">{renderEnglish(language, body.description)}</p>}
    </>
  )
}

function Link({ language, entry: { anchor, summary } }: { language: Language; entry: OperationEntry }) {
  return <a href={`#${anchor}`}>{renderEnglish(language, summary)}</a>
}

/** Longer examples are collapsed. */
const linesOpenMax = 16

function ResponseBox({
  language,
  entry,
  answer: { status, type, example },
  shown
}: {
  language: Language
  entry: OperationEntry
  answer: ResponseExample
  shown: ShownExamples
}) {
  const strings = getMessages('reference', language)
  const head = (
    <>
      {strings.answer} <code>{status}</code>
    </>
  )
  const key = JSON.stringify(example)
  const earlier = shown.answers.get(key)
  if (example === undefined) {
    return (
      <p class="answer">
        {head} {type === '' ? strings.noContent : strings.fileOf({ type })}
      </p>
    )
  }
  if (earlier !== undefined) {
    return (
      <p class="answer">
        {head} {earlier.isListed ? strings.oneOfList : strings.asAbove}{' '}
        <Link language={language} entry={earlier.entry} />
      </p>
    )
  }
  shown.answers.set(key, { entry, isListed: false })
  for (const one of findListed(example)) shown.answers.set(JSON.stringify(one), { entry, isListed: true })
  const text = formatJson(example)
  return (
    <details class="answer" open={text.split('\n').length <= linesOpenMax}>
      <summary>{head}</summary>
      <Code language={language} id={`${entry.anchor}-answer`} text={text} label={strings.copyAnswer} />
    </details>
  )
}

/** Items of a list response, plain or wrapped in an object. */
function findListed(example: unknown): object[] {
  const lists = Array.isArray(example) ? [example] : Object.values(example ?? {}).filter(Array.isArray)
  return lists.flat().filter(one => typeof one === 'object' && one !== null && Object.keys(one).length > 3)
}
