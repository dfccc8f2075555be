// How near the pages of the public site are to the limit of the machine: node:http that sends the same bytes.
//   npm run bench -- pages            about two minutes, with 100,000 events in the calendar; --quick has 10,000
import { fillEvents } from './events-content.ts'
import { get, measure, openLab, print, sizes } from './lab.ts'

const size = Math.min(Math.max(...sizes), 100_000)
const month = new Date().toISOString().slice(0, 7)
const monthsLater = (count: number) => {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}

const lab = await openLab(store => fillEvents(store, size))
try {
  const paths = { home: '/en', month: `/en/calendar/${month}`, list: '/en/calendar/list' }
  const raw: Record<string, number> = {}
  for (const [name, path] of Object.entries(paths)) raw[name] = await lab.startRaw({ GET: await lab.answerOf(path) })
  const months = Array.from({ length: 24 }, (_, index) => get(`/en/calendar/${monthsLater(index)}`))
  const rawPage = (name: string) => lab.load({ port: raw[name] ?? 0, requests: [get('/')], status: 200 })

  const results = await measure({
    'raw: month': () => rawPage('month'),
    'GET month': () => lab.loadKalends([get(paths.month)]),
    'GET 24 months in turn': () => lab.loadKalends(months),
    'raw: list': () => rawPage('list'),
    'GET list': () => lab.loadKalends([get(paths.list)]),
    'raw: home': () => rawPage('home'),
    'GET home': () => lab.loadKalends([get(paths.home)])
  })
  print(`Pages, ${size} events`, results, [
    { what: 'GET month', limit: 'raw: month', floor: 0.25, goal: 0.5 },
    // Nobody shares a page here: what each costs alone.
    { what: 'GET 24 months in turn', limit: 'raw: month', floor: 0, goal: 0.25 },
    { what: 'GET list', limit: 'raw: list', floor: 0, goal: 0.25 },
    { what: 'GET home', limit: 'raw: home', floor: 0, goal: 0.25 }
  ])
} finally {
  await lab.close()
}
