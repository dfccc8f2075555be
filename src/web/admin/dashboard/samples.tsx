import type { SamplesRemoved } from '#platform/samples/schema.ts'
import { type Redirect, redirect } from '../../page.ts'
import { sampleWords } from '../../text/samples.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { questionPage } from '../question.tsx'
import { findSamples, formatCounts, type Samples } from '../samples.tsx'

const menu = '/admin'
const path = '/admin/samples/remove'

/** Removing sample content: a question, and what came of it. */
export function samplePages(pages: Console): void {
  pages.show(path, [], askToRemove)
  pages.take(path, [], remove)
}

async function askToRemove(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = sampleWords[desk.language]
  const { kinds } = await findSamples(desk)
  if (kinds.length === 0) {
    desk.say({ text: words.nothingLeft })
    return redirect(menu, 303)
  }
  return questionPage(desk, {
    title: words.removeTitle,
    text: `${formatCounts(desk, kinds)}. ${words.removeText}`,
    menu,
    action: path,
    yes: words.remove,
    no: { label: words.keep, href: menu }
  })
}

async function remove(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = sampleWords[desk.language]
  const { body } = await desk.api.delete<SamplesRemoved>('/samples')
  const text = body.removed.length === 0 ? words.removedNothing : words.removed(formatCounts(desk, body.removed))
  if (body.kept.length > 0) return keptPage(desk, text, body.kept)
  desk.say({ text: body.removed.length === 0 ? words.nothingLeft : text })
  return redirect(menu, 303)
}

/** Shown at once: the reasons are too long for a notice on the next page. */
function keptPage(desk: Desk, text: string, kept: SamplesRemoved['kept']): ConsolePage {
  const words = sampleWords[desk.language]
  return {
    title: words.keptTitle,
    menu,
    body: (
      <>
        <p class="notice good" role="status">
          {text}
        </p>
        <p>{words.keptText}</p>
        <dl class="card">
          {kept.map(({ kind, id, name, reason }) => (
            <div key={`${kind} ${id} ${reason}`}>
              <dt>
                {words.kinds[kind]?.[0] ?? kind}: {name}
              </dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a class="button quiet" href={menu}>
            {words.back}
          </a>
        </p>
      </>
    )
  }
}

/** Says on the dashboard that there is sample content, and how much. */
export function SamplesCard({ desk, samples }: { desk: Desk; samples: Samples }) {
  const words = sampleWords[desk.language]
  if (samples.kinds.length === 0) return null
  return (
    <section class="card sample-card" aria-labelledby="samples">
      <h2 id="samples">{words.title}</h2>
      <p>{formatCounts(desk, samples.kinds)}.</p>
      <p>
        <a class="button quiet" href={path}>
          {words.remove}
        </a>
      </p>
    </section>
  )
}
