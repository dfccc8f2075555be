// Secrets appear in no log line, wherever a request contains them.
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Log } from '#platform/log.ts'
import { startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { adminKey } from '../support/services.ts'

export async function checkLogs({ only }: Effort): Promise<Finding[]> {
  const lines: string[] = []
  const collect = new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    }
  })
  const log = pino({ level: 'trace' }, collect) as unknown as Log
  const crawler = await startRouteCrawler({ log })
  const { admin, visitor, withKey } = crawler
  const operations = crawler.operations.filter(({ name }) => name.includes(only))

  const { key } = (await admin.post('/keys', { name: 'seen', role: 'admin' })).body
  const person = await crawler.aPerson()
  const { donorToken } = await crawler.aDonation((await crawler.aCampaign()).id)
  const secrets: Record<string, string> = {
    'the admin key': adminKey,
    'an API key': key,
    'the token of a session': person.token,
    'the token of a donor': donorToken,
    'a password': `Passwort-${randomBytes(6).toString('hex')}`,
    'an address of e-mail': 'somebody-else@private.example',
    'an account number': 'NL91ABNA0417164300',
    'the name of a donor': 'Wilhelmina Verborgen',
    'a street': 'Geheimgasse 77'
  }
  const faults: string[] = []
  let sent = 0
  for (const operation of operations) {
    const request = await crawler.validRequestOfAdmin(operation)
    await admin.send(request)
    const [path, query = ''] = String(request.url).split('?')
    for (const [what, secret] of Object.entries(secrets)) {
      const from = lines.length
      const word = encodeURIComponent(secret)
      const json = { 'content-type': 'application/json' }
      const attempts = [
        { ...request, url: `${path}?${query}&token=${word}&search=${word}&email=${word}` },
        { ...request, headers: { ...request.headers, 'x-api-key': secret, cookie: `kalends_session=${secret}` } },
        {
          ...request,
          headers: {
            ...request.headers,
            'user-agent': secret,
            referer: `https://a.example/?${word}`,
            'if-match': secret
          }
        },
        ...(operation.body === undefined
          ? []
          : [{ ...request, headers: json, payload: `{"name": "${secret}", "password": "${secret}", ` }]),
        ...(operation.body === undefined
          ? []
          : [{ ...request, headers: json, payload: JSON.stringify({ email: secret, name: secret, [secret]: 1 }) }])
      ]
      for (const attempt of attempts) await visitor.send(attempt)
      await withKey(secret).send({ method: operation.method, url: path ?? '' })
      sent += attempts.length + 1
      const said = lines.slice(from).join('')
      if (said.includes(secret) || said.includes(word)) faults.push(`${operation.name}: the log tells ${what}`)
    }
  }
  // Where tokens have their place in an address, and where they have none.
  for (const path of [
    `/donations/by-token/${donorToken}`,
    `/keys/${key}`,
    `/${person.token}`,
    `/en/donate/thanks/${donorToken}`
  ]) {
    await visitor.get(path)
  }
  const all = lines.join('')
  const words = {
    ...secrets,
    'what the walk gives donors': 'Ada Lovelace',
    'the walk’s password': 'the password of the walk'
  }
  for (const [what, word] of Object.entries(words))
    if (all.includes(word)) faults.push(`somewhere the log tells ${what}`)
  if (/[a-z0-9.+-]+@example\.org/i.test(all)) faults.push(`the log tells ${/\S+@example\.org/i.exec(all)?.[0]}`)
  if (/whsec_|scrypt|"stack"/.test(all))
    faults.push(`the log has ${/.{80}(?:whsec_|scrypt|"stack").{200}/.exec(all)?.[0]}`)
  if (lines.length < sent / 2) faults.push('The log says nothing at all.')
  if (lines.some(line => line.trim().includes('\n'))) faults.push('A line of the log is two.')
  return [
    toFinding(
      'logs',
      `${lines.length} lines of ${sent} requests to ${operations.length} operations`,
      'no secret in any line',
      faults
    )
  ]
}
