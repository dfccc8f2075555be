import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'

const venue = { id: 900, venue: 'Community Centre', slug: 'community-centre' }

// Events with the same title have the same slug, so the batch fails and is written again, one by one. In the aborted
// transaction a statement that is used for the first time is not prepared, and its second use fails with another error:
// hence a new database connection for each of these tests.
const files: [name: string, titles: string[]][] = [
  ['seven events with repeating titles and one venue', ['Choir', 'Yoga', 'Chess', 'Choir', 'Yoga', 'Chess', 'Choir']],
  ['forty events with twenty titles', Array.from({ length: 40 }, (_, index) => `Course ${index % 20}`)]
]
for (const [index, [name, titles]] of files.entries()) {
  test(`the first import of a process imports ${name}`, { skip: index > 0 && skipUnlessFull }, async () => {
    const here = await startImports()
    const before = await here.readState()
    const site = await startTecSite(
      titles.map((title, index) => buildTecEvent(index + 1, { title, slug: title.toLowerCase(), venue: [venue] }))
    )
    const done = await here.runImport(site)
    assert.deepEqual([done.status, done.error], ['done', null])
    assert.deepEqual(done.counts, { ...noCounts, new: titles.length + 1 })
    assert.equal((await here.undoImport(done.id)).status, 'undone')
    assert.deepEqual(await here.readState(), before)
  })
}
