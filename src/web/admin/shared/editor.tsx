import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from './context.ts'
import { Form, LanguageTabs } from './form.tsx'

/** Validation errors: by field, and general ones. */
export interface FormErrors {
  errors: Record<string, string>
  general?: string | undefined
}

export function hasErrors({ errors, general }: FormErrors): boolean {
  return general !== undefined || Object.keys(errors).length > 0
}

/** A field that another user has saved differently in the meantime. */
export interface Difference {
  label: string
  theirs: string
  yours: string
}

/** Page around the form of a translated item. */
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
    /** Menu entry of its list. */
    menu: string
    /** Undefined for a new item. */
    id?: number | undefined
    language: Language
    /** Languages that have a text. */
    written?: readonly Language[]
    wrong: FormErrors
    /** Defined, possibly empty, if another user has saved in the meantime. */
    differences?: Difference[] | undefined
    scripts: string[]
    actions?: ComponentChildren
    children: ComponentChildren
    /** Further actions below the form. */
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

/** Form of an editor, with the ETag that prevents overwriting a newer version, and its buttons. */
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
  /** ETag of the version that was read. */
  etag: string
  /** Contains file inputs. */
  upload?: boolean
  look?: string
  /** An additional button. */
  more?: ComponentChildren
  children: ComponentChildren
}) {
  const strings = getMessages('admin', context.language)
  return (
    <Form
      context={context}
      action={`${menu}/${id ?? 'new'}?lang=${language}`}
      upload={upload}
      draft={`${menu}/${id ?? 'new'}?lang=${language}`}
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

/** Differing fields, with the form's labels. */
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

/** Shows both versions side by side. */
export function ConflictNote({
  context,
  differences,
  reload
}: {
  context: AdminContext
  differences: Difference[]
  reload: string
}) {
  const { conflict } = getMessages('admin', context.language)
  const strings = getMessages('event-admin', context.language).editor
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
                  <td>{theirs === '' ? <em class="muted">{strings.nothing}</em> : theirs}</td>
                  <td>{yours === '' ? <em class="muted">{strings.nothing}</em> : yours}</td>
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
