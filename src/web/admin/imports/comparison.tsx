import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getImportApiPath, getImportPagePath, type Import, menu } from './import-types.ts'

/** Starts a comparison of a finished import from a site. */
export function CompareCard({ context, one }: { context: AdminContext; one: Import }) {
  if (one.source !== 'tec' || one.dry_run || one.status !== 'done') return null
  const strings = getMessages('import-report', context.language)
  const { password } = getMessages('import', context.language)
  return (
    <section class="card import-outcome" aria-labelledby="compare">
      <h2 id="compare">{strings.compareTitle}</h2>
      <p>{strings.compareText}</p>
      <Form context={context} action={getImportPagePath(context, '/compare')}>
        {one.username === null ? null : (
          <Field
            name="password"
            type="password"
            label={`${password} (${one.username})`}
            hint={strings.passwordAgain}
            autocomplete="off"
            maxLength={200}
            required
          />
        )}
        <p class="actions">
          <button type="submit" class="quiet">
            {strings.compare}
          </button>
          {one.comparison === null ? null : <a href={`${menu}/${one.comparison}`}>{strings.lastComparison}</a>}
        </p>
      </Form>
    </section>
  )
}

export async function startComparison(context: AdminContext): Promise<Redirect> {
  const password = getFormField(context, 'password')
  const fields = password === '' ? {} : { password }
  const { body } = await context.api.post<Import>(getImportApiPath(context, '/compare'), fields)
  return redirect(`${menu}/${body.id}`, 303)
}

/** What the comparison found, in one sentence. */
export function ComparisonResult({ context, one }: { context: AdminContext; one: Import }) {
  const strings = getMessages('import-report', context.language)
  const { differs, missing, gone, problem, explained } = one.counts
  const isExplained = differs + missing + gone + problem === 0
  return (
    <section class="card import-outcome" aria-labelledby="outcome">
      <h2 id="outcome">{strings.comparisonTitle}</h2>
      <p class={isExplained ? 'lead' : 'notice warn'}>
        {isExplained ? (explained === 0 ? strings.allSame : strings.allExplained) : strings.notExplained}
      </p>
      {one.based_on === null ? null : (
        <p>
          <a class="button quiet" href={`${menu}/${one.based_on}`}>
            {strings.toImport}
          </a>
        </p>
      )}
    </section>
  )
}
