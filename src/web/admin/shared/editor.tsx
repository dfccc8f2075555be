import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { withQuery } from '../../server/api-client.ts'
import { adminStrings } from '../../strings/admin.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import type { AdminContext, AdminPage } from './context.ts'
import { Form, LanguageTabs } from './form.tsx'

/** What is wrong with what was sent: by field, and what belongs to none. */
export interface FormErrors {
  errors: Record<string, string>
  general?: string | undefined
}

export function hasErrors({ errors, general }: FormErrors): boolean {
  return general !== undefined || Object.keys(errors).length > 0
}

/** What somebody else has saved meanwhile, and what is in the form. */
export interface Difference {
  label: string
  theirs: string
  yours: string
}

/** The page around the form of something that has a text in each language. */
export function buildEditorPage(
  context: AdminContext,
  {
    title,
    menu,
    id,
    language,
    written = [],
    wrong,
    differences,
    scripts,
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
    wrong: FormErrors
    /** There are some, or none, where somebody else has saved meanwhile. */
    differences?: Difference[] | undefined
    scripts: string[]
    actions?: ComponentChildren
    children: ComponentChildren
    /** What can be done with it besides editing. */
    end?: ComponentChildren
  }
): AdminPage {
  const path = `${menu}/${id ?? 'new'}`
  return {
    title,
    menu,
    scripts: scripts,
    status: differences !== undefined ? 412 : hasErrors(wrong) ? 422 : 200,
    actions,
    body: (
      <>
        {differences === undefined ? null : (
          <ConflictNote context={context} differences={differences} reload={withQuery(path, { lang: language })} />
        )}
        <LanguageTabs context={context} path={path} current={language} written={written} />
        {children}
        {end === undefined ? null : <div class="actions editor-end">{end}</div>}
      </>
    )
  }
}

/** The form of an editor, with what it needs to save over nothing newer, and its buttons below. */
export function EditorForm({
  context,
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
}: FormErrors & {
  context: AdminContext
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
  const strings = adminStrings[context.language]
  return (
    <Form
      context={context}
      action={`${menu}/${id ?? 'new'}?lang=${language}`}
      upload={upload}
      class={`editor ${look}`.trim()}
      id="editor-form"
    >
      <input type="hidden" name="etag" value={etag} />
      <ErrorSummary title={strings.mend} errors={errors} general={general} />
      {children}
      <div class="editor-bar">
        <button type="submit">{id === undefined ? strings.create : strings.save}</button>
        {more}
        <a class="button quiet" href={menu}>
          {strings.cancel}
        </a>
      </div>
    </Form>
  )
}

/** What differs, field by field, in the words of the form. */
export function listFieldDifferences(
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
export function ConflictNote({
  context,
  differences,
  reload
}: {
  context: AdminContext
  differences: Difference[]
  reload: string
}) {
  const { conflict } = adminStrings[context.language]
  const strings = eventAdminStrings[context.language].editor
  return (
    <div class="notice warn conflict" role="alert" tabIndex={-1} id="errors" data-focus autofocus>
      <p>
        <strong>{conflict.title}</strong>
      </p>
      {differences.length === 0 ? (
        <p>{strings.same}</p>
      ) : (
        <>
          <p>{conflict.text}</p>
          <table class="table">
            <caption class="visually-hidden">{conflict.title}</caption>
            <thead>
              <tr>
                <th scope="col">{strings.field}</th>
                <th scope="col">{conflict.theirs}</th>
                <th scope="col">{conflict.yours}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ label, theirs, yours }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{theirs === '' ? <em class="faded">{strings.nothing}</em> : theirs}</td>
                  <td>{yours === '' ? <em class="faded">{strings.nothing}</em> : yours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <p class="actions">
        <button type="submit" form="editor-form" class="small">
          {strings.keepYours}
        </button>
        <a class="button small quiet" href={reload}>
          {strings.takeTheirs}
        </a>
      </p>
    </div>
  )
}
