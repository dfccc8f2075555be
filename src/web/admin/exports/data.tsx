import type { Activity } from '#platform/activity/schema.ts'
import { ago, number, shortMoment } from '../../format.ts'
import { dataWords } from '../../text/data.ts'
import { frameWords } from '../../text/frame.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Downloads, downloadPages } from './downloads.tsx'

const menu = '/admin/data'
/** After this many days without a backup somebody should know. */
const backupDaysMax = 7
const dayMs = 86_400_000

/** Everything to take along, and how not to lose it. Only admins come here. */
export function dataPages(console: Console): void {
  console.show(menu, [], async desk => dataPage(desk, await lastBackup(desk)))
  downloadPages(console)
}

async function lastBackup({ api }: Desk): Promise<Activity | undefined> {
  const { body } = await api.get<Activity[]>('/activity', { action: 'backup.taken', limit: 1 })
  return body[0]
}

function dataPage(desk: Desk, last: Activity | undefined): ConsolePage {
  const words = dataWords[desk.language]
  return {
    title: words.title,
    menu,
    islands: ['copy'],
    body: (
      <div class="narrow data">
        <p class="lead">{words.lead}</p>
        <Downloads desk={desk} />
        <section class="card" aria-labelledby="backup">
          <h2 id="backup">{words.backup}</h2>
          <Last desk={desk} last={last} />
          <p>{words.backupText}</p>
          <Command desk={desk} id="take" label={words.backupCommand} line="./kalends backup" />
          <Command
            desk={desk}
            id="check"
            label={words.checkCommand}
            line="./kalends restore kalends-2027-01-31T0300Z.backup --check"
          />
          <Command
            desk={desk}
            id="restore"
            label={words.restoreCommand}
            line="./kalends restore kalends-2027-01-31T0300Z.backup"
          />
          <p class="hint">{words.passwords}</p>
        </section>
        <section class="card" aria-labelledby="bring-in">
          <h2 id="bring-in">{words.importTitle}</h2>
          <p>{words.importText}</p>
          <a class="button quiet" href="/admin/imports">
            {words.toImport}
          </a>
        </section>
      </div>
    )
  }
}

function Last({ desk, last }: { desk: Desk; last: Activity | undefined }) {
  const { language, now, site } = desk
  const words = dataWords[language]
  if (last === undefined) return <p class="notice warn">{words.never}</p>
  const since = ago(language, last.at, now)
  const isOld = now.getTime() - Date.parse(last.at) > backupDaysMax * dayMs
  const { rows, bytes } = last.details
  return (
    <div class={`notice ${isOld ? 'warn' : 'good'}`}>
      <p>{isOld ? words.lastOld(since) : words.last(since, shortMoment(language, last.at, site.timezone))}</p>
      {typeof rows === 'number' && typeof bytes === 'number' ? (
        <p>{words.size(number(language, rows), number(language, Math.ceil(bytes / 100_000) / 10))}</p>
      ) : null}
    </div>
  )
}

/** A line for the command line, to copy. */
function Command({ desk, id, label, line }: { desk: Desk; id: string; label: string; line: string }) {
  const copy = frameWords[desk.language]
  return (
    <div class="command">
      <p id={`${id}-label`}>{label}</p>
      <div class="secret">
        <code id={id}>{line}</code>
        <button
          type="button"
          class="small quiet"
          data-copy={`#${id}`}
          data-copied={copy.copied}
          aria-describedby={`${id}-label`}
          hidden
        >
          {copy.copy}
        </button>
      </div>
    </div>
  )
}
