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
  const user = await crawler.aPerson()
  const { donorToken } = await crawler.aDonation((await crawler.aCampaign()).id)
  const secrets: Record<string, string> = {
    'the admin key': adminKey,
    'an API key': key,
    'the token of a session': user.token,
    'the token of a donor': donorToken,
    'a password': `Passwort-${randomBytes(6).toString('hex')}`,
    'an email address': 'somebody-else@private.example',
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
    for (const [description, secret] of Object.entries(secrets)) {
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
      const logged = lines.slice(from).join('')
      if (logged.includes(secret) || logged.includes(word))
        faults.push(`${operation.name}: the log contains ${description}`)
    }
  }
  // Tokens in URLs, where they are expected and where they are not.
  for (const path of [
    `/donations/by-token/${donorToken}`,
    `/keys/${key}`,
    `/${user.token}`,
    `/en/donate/thanks/${donorToken}`
  ]) {
    await visitor.get(path)
  }
  const all = lines.join('')
  const allSecrets = {
    ...secrets,
    'the donor name of the crawler': 'Ada Lovelace',
    'the password of the crawler': 'the password of the walk'
  }
  for (const [description, word] of Object.entries(allSecrets))
    if (all.includes(word)) faults.push(`the log contains ${description}`)
  if (/[a-z0-9.+-]+@example\.org/i.test(all)) faults.push(`the log contains ${/\S+@example\.org/i.exec(all)?.[0]}`)
  if (/whsec_|scrypt|"stack"/.test(all))
    faults.push(`the log has ${/.{80}(?:whsec_|scrypt|"stack").{200}/.exec(all)?.[0]}`)
  if (lines.length < sent / 2) faults.push('the log is empty')
  if (lines.some(line => line.trim().includes('\n'))) faults.push('an entry of the log has two lines')
  return [
    toFinding(
      'logs',
      `${lines.length} lines of ${sent} requests to ${operations.length} operations`,
      'no secret in any line',
      faults
    )
  ]
}
