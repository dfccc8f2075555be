// Password guessing: limits per account and per address, and neither responses nor their timing reveal which accounts exist.
import { passwordHashing } from '../support/fast-passwords.ts'
import { type Finding, toFinding } from '../support/security/checks.ts'
import { startCampaignsAndCalendar, type TestResponse } from '../support/services.ts'

const password = 'the right password of the tests'
/** Of each kind; fewer are not reliable on a shared machine. */
const measurements = 40

export async function checkSignIn(): Promise<Finding[]> {
  const { admin, visitor } = await startCampaignsAndCalendar({ env: { TRUST_PROXY: '1', RATE_LIMIT: '0' } })
  const knownEmails = Array.from({ length: measurements }, (_, number) => `known${number}@example.org`)
  for (const email of knownEmails) await admin.post('/users', { name: 'Known', email, role: 'viewer', password })

  const attempt = async (
    email: string,
    secret: string,
    headers: Record<string, string> = {}
  ): Promise<TestResponse & { ms: number }> => {
    const start = performance.now()
    const answer = await visitor.post('/sessions', { email, password: secret }, headers)
    return { ...answer, ms: performance.now() - start }
  }

  const faults: string[] = []
  const times = { known: [] as number[], unknown: [] as number[] }
  passwordHashing.isFast = false
  for (const [number, email] of knownEmails.entries()) {
    const unknown = await attempt(`unknown${number}@example.org`, 'wrong')
    const known = await attempt(email, 'wrong')
    times.known.push(known.ms)
    times.unknown.push(unknown.ms)
    const toComparable = ({ status, body }: TestResponse) => JSON.stringify([status, { ...body, requestId: '' }])
    if (toComparable(known) !== toComparable(unknown))
      faults.push(`${toComparable(known)} with an account, ${toComparable(unknown)} without one`)
  }
  passwordHashing.isFast = true
  const [known, unknown] = [median(times.known), median(times.unknown)]
  const ratio = known / unknown
  if (ratio < 0.8 || ratio > 1.25) faults.push(`the response time reveals which accounts exist: ${ratio.toFixed(2)}`)

  return [
    toFinding(
      'sign-in, who has an account',
      `${known.toFixed(0)} ms with an account, ${unknown.toFixed(0)} ms without (ratio ${ratio.toFixed(2)}), same responses`,
      'same response, ratio 0.8 to 1.25',
      faults
    ),
    await checkAccountLimit(attempt),
    await checkAddressLimit(attempt)
  ]

  /** Attempts at one account from many networks: unknown devices wait increasingly long, the owner's device does not. */
  async function checkAccountLimit(by: typeof attempt): Promise<Finding> {
    const [email = ''] = knownEmails
    const { deviceToken } = (await by(email, password, { 'x-forwarded-for': '203.0.113.8' })).body
    const answers: TestResponse[] = []
    for (let count = 0; count < 60; count += 1) {
      answers.push(await by(email, 'wrong', { 'x-forwarded-for': `198.${count}.100.1` }))
    }
    const tried = answers.filter(({ status }) => status === 401).length
    const found = tried > 20 ? [`${tried} attempts at one account were answered`] : []
    const owner = await visitor.post(
      '/sessions',
      { email, password, deviceToken },
      { 'x-forwarded-for': '203.0.113.7' }
    )
    if (owner.status !== 201) found.push(`the owner's device gets ${owner.status}`)
    const newDevice = await by(email, password, { 'x-forwarded-for': '203.0.114.7' })
    const seconds = Number(newDevice.headers['retry-after'] ?? 0)
    if (newDevice.status === 429 && seconds > 60) found.push(`a new device waits ${seconds} s`)
    return toFinding(
      'sign-in, one account',
      `${tried} of 60 attempts from 60 networks answered; the owner's device signs in, a new one waits ${seconds} s`,
      'at most 20; the owner signs in; 60 s at most',
      found
    )
  }

  /** Ten attempts a minute from one address; forged forwarding headers do not change the address. */
  async function checkAddressLimit(by: typeof attempt): Promise<Finding> {
    const found: string[] = []
    const countAnswered = async (headers: (count: number) => Record<string, string>, from: string) => {
      let count = 0
      for (let time = 0; time < 40; time += 1) {
        if ((await by(`${from}${time}@example.org`, 'wrong', headers(time))).status === 401) count += 1
      }
      return count
    }
    const plain = await countAnswered(() => ({ 'x-forwarded-for': '192.0.2.9' }), 'plain')
    const forged = await countAnswered(count => ({ 'x-forwarded-for': `10.0.0.${count}, 192.0.2.10` }), 'forged')
    const other = await countAnswered(
      count => ({
        'x-forwarded-for': '192.0.2.11',
        'x-real-ip': `10.0.0.${count}`,
        forwarded: `for=10.0.0.${count}`,
        'cf-connecting-ip': `10.0.0.${count}`
      }),
      'other'
    )
    const network = await countAnswered(count => ({ 'x-forwarded-for': `2001:db8:1:2::${count}` }), 'network')
    for (const [what, count] of Object.entries({ plain, forged, other, network })) {
      if (count > 10) found.push(`${what}: ${count} of 40 were answered`)
    }
    const measured = `${plain} of 40 answered, ${forged} with forged addresses, ${other} with other headers, ${network} from a network`
    return toFinding('sign-in, one address', measured, 'at most 10 a minute', found)
  }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
