import { findText, getMessages } from '#platform/messages/messages.ts'
import type { SamplesRemoved } from '#platform/samples/schema.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { findSamples, formatSampleCounts, type Samples } from '../shared/samples.tsx'

const menu = '/admin'
const path = '/admin/samples/remove'

/** Removal of sample content: confirmation and result. */
export function registerSampleRoutes(pages: AdminRouter): void {
  pages.get(path, [], askToRemove)
  pages.post(path, [], remove)
}

async function askToRemove(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('sample', context.language)
  const { kinds } = await findSamples(context)
  if (kinds.length === 0) {
    context.flash({ text: strings.nothingLeft })
    return redirect(menu, 303)
  }
  return buildConfirmPage(context, {
    title: strings.removeTitle,
    text: `${formatSampleCounts(context, kinds)}. ${strings.removeText}`,
    menu,
    action: path,
    yes: strings.remove,
    no: { label: strings.keep, href: menu }
  })
}

async function remove(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('sample', context.language)
  const { body } = await context.api.delete<SamplesRemoved>('/samples')
  const text =
    body.removed.length === 0
      ? strings.removedNothing
      : strings.removed({ what: formatSampleCounts(context, body.removed) })
  if (body.kept.length > 0) return buildKeptPage(context, text, body.kept)
  context.flash({ text: body.removed.length === 0 ? strings.nothingLeft : text })
  return redirect(menu, 303)
}

/** Rendered as the response itself: the reasons are too long for a flash message. */
function buildKeptPage(context: AdminContext, text: string, kept: SamplesRemoved['kept']): AdminPage {
  const strings = getMessages('sample', context.language)
  return {
    title: strings.keptTitle,
    menu,
    body: (
      <>
        <p class="notice good" role="status">
          {text}
        </p>
        <p>{strings.keptText}</p>
        <dl class="card">
          {kept.map(({ kind, id, name, reason }) => (
            <div key={`${kind} ${id} ${reason}`}>
              <dt>
                {findText(getMessages('activity', context.language).subjects, kind) ?? kind}: {name}
              </dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a class="button quiet" href={menu}>
            {strings.back}
          </a>
        </p>
      </>
    )
  }
}

/** Dashboard card that says how much sample content exists. */
export function SamplesCard({ context, samples }: { context: AdminContext; samples: Samples }) {
  const strings = getMessages('sample', context.language)
  if (samples.kinds.length === 0) return null
  return (
    <section class="card sample-card" aria-labelledby="samples">
      <h2 id="samples">{strings.title}</h2>
      <p>{formatSampleCounts(context, samples.kinds)}.</p>
      <p>
        <a class="button quiet" href={path}>
          {strings.remove}
        </a>
      </p>
    </section>
  )
}
