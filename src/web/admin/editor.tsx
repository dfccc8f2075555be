import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { withQuery } from '../api.ts'
import { consoleWords } from '../text/console.ts'
import { eventWords } from '../text/events.ts'
import { ErrorSummary } from '../ui/field.tsx'
import type { ConsolePage, Desk } from './console.ts'
import { Form, LanguageTabs } from './form.tsx'

/** What is wrong with what was sent: by field, and what belongs to none. */
export interface Wrong {
  errors: Record<string, string>
  general?: string | undefined
}

export function isRefused({ errors, general }: Wrong): boolean {
  return general !== undefined || Object.keys(errors).length > 0
}

/** What somebody else has saved meanwhile, and what is in the form. */
export interface Difference {
  label: string
  theirs: string
  yours: string
}

/** The page around the form of something that has a text in each language. */
export function editorPage(
  desk: Desk,
  {
    title,
    menu,
    id,
    language,
    written = [],
    wrong,
    differences,
    islands,
    actions,
    children,
    end
  }: {
    title: string
    /** The list it belongs to. */
    menu: string
    /** Undefined for a new one. */
    id?: number | undefined
    language: Language
    /** Languages that have a text. */
    written?: readonly Language[]
    wrong: Wrong
    /** There are some, or none, where somebody else has saved meanwhile. */
    differences?: Difference[] | undefined
    islands: string[]
    actions?: ComponentChildren
    children: ComponentChildren
    /** What can be done with it besides editing. */
    end?: ComponentChildren
  }
): ConsolePage {
  const path = `${menu}/${id ?? 'new'}`
  return {
    title,
    menu,
    islands,
    status: differences !== undefined ? 412 : isRefused(wrong) ? 422 : 200,
    actions,
    body: (
      <>
        {differences === undefined ? null : (
          <ConflictNote desk={desk} differences={differences} reload={withQuery(path, { lang: language })} />
        )}
        <LanguageTabs desk={desk} path={path} current={language} written={written} />
        {children}
        {end === undefined ? null : <div class="actions editor-end">{end}</div>}
      </>
    )
  }
}

/** The form of an editor, with what it needs to save over nothing newer, and its buttons below. */
export function EditorForm({
  desk,
  menu,
  id,
  language,
  etag,
  errors,
  general,
  upload = false,
  look = '',
  more,
  children
}: Wrong & {
  desk: Desk
  menu: string
  id?: number | undefined
  language: Language
  /** Of what was read. */
  etag: string
  /** Sends files. */
  upload?: boolean
  look?: string
  /** Another button. */
  more?: ComponentChildren
  children: ComponentChildren
}) {
  const words = consoleWords[desk.language]
  return (
    <Form
      desk={desk}
      action={`${menu}/${id ?? 'new'}?lang=${language}`}
      upload={upload}
      class={`editor ${look}`.trim()}
      id="editor-form"
    >
      <input type="hidden" name="etag" value={etag} />
      <ErrorSummary title={words.mend} errors={errors} general={general} />
      {children}
      <div class="editor-bar">
        <button type="submit">{id === undefined ? words.create : words.save}</button>
        {more}
        <a class="button quiet" href={menu}>
          {words.cancel}
        </a>
      </div>
    </Form>
  )
}

/** What differs, field by field, in the words of the form. */
export function differencesIn(
  labels: Record<string, string>,
  theirs: Record<string, string>,
  yours: Record<string, string>
): Difference[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const [left, right] = [theirs[name] ?? '', yours[name] ?? '']
    return left === right ? [] : [{ label, theirs: left, yours: right }]
  })
}

/** What both have saved differently, side by side. */
export function ConflictNote({ desk, differences, reload }: { desk: Desk; differences: Difference[]; reload: string }) {
  const { conflict } = consoleWords[desk.language]
  const words = eventWords[desk.language].editor
  return (
    <div class="notice warn conflict" role="alert" tabIndex={-1} id="errors" data-focus autofocus>
      <p>
        <strong>{conflict.title}</strong>
      </p>
      {differences.length === 0 ? (
        <p>{words.same}</p>
      ) : (
        <>
          <p>{conflict.text}</p>
          <table class="table">
            <caption class="visually-hidden">{conflict.title}</caption>
            <thead>
              <tr>
                <th scope="col">{words.field}</th>
                <th scope="col">{conflict.theirs}</th>
                <th scope="col">{conflict.yours}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ label, theirs, yours }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{theirs === '' ? <em class="faded">{words.nothing}</em> : theirs}</td>
                  <td>{yours === '' ? <em class="faded">{words.nothing}</em> : yours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <p class="actions">
        <button type="submit" form="editor-form" class="small">
          {words.keepYours}
        </button>
        <a class="button small quiet" href={reload}>
          {words.takeTheirs}
        </a>
      </p>
    </div>
  )
}
