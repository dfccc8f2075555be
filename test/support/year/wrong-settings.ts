// Mistakes of an administrator. Each has to stop the start, or the command, with the message that docs/operations.md lists.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { isRoot } from '../debian.ts'
import { waitUntil } from '../kalends-process.ts'
import { findSymptom } from './documents.ts'
import { type Machine, serviceUser } from './machine.ts'

interface Mistake {
  name: string
  expected: RegExp[]
  /** Makes the mistake, and returns a function that undoes it. */
  make(machine: Machine): Promise<() => Promise<void>>
}

const changeSettings =
  (change: (text: string) => string): Mistake['make'] =>
  async ({ locate }) => {
    const file = locate('/var/lib/kalends/.env')
    const text = await readFile(file, 'utf8')
    await writeFile(file, change(text))
    return async () => await writeFile(file, text)
  }
const addSettings = (...lines: string[]) => changeSettings(text => `${text}${lines.join('\n')}\n`)

const takePort: Mistake['make'] = async ({ ports }) => {
  const other = createServer().listen(ports.kalends, '127.0.0.1')
  await once(other, 'listening')
  return async () => {
    other.close()
    await once(other, 'close')
  }
}

/** Makes the file unreadable for the service: root changes its owner, other users its mode. */
const hideSettings: Mistake['make'] = async ({ locate }) => {
  const file = locate('/var/lib/kalends/.env')
  if (isRoot) await chown(file, 0, 0)
  else await chmod(file, 0)
  return async () => {
    if (isRoot) await chown(file, serviceUser.uid, serviceUser.gid)
    else await chmod(file, 0o600)
  }
}

const giveDataToAnotherUser: Mistake['make'] = async ({ run }) => {
  await run('chown -R 1:1 /var/lib/kalends/data')
  return async () => void (await run(`chown -R ${serviceUser.uid}:${serviceUser.gid} /var/lib/kalends/data`))
}

/** Mistakes that stop the start of the service. */
export const wrongSettings: Mistake[] = [
  {
    name: 'a public address without PUBLIC_URL',
    expected: [findSymptom('PUBLIC_URL: required, because HOST is')],
    make: changeSettings(text => `${text.replace(/^PUBLIC_URL=.*\n/m, '')}HOST=0.0.0.0\n`)
  },
  {
    name: 'a misspelt setting',
    expected: [findSymptom('NAME: there is no such setting'), /Did you mean DATABASE_URL\?/],
    make: addSettings('DATABSE_URL=postgres://db.example.org/kalends')
  },
  {
    name: 'several invalid values, which are all listed',
    expected: [
      findSymptom('Kalends cannot start with these settings'),
      /^ {2}TIMEZONE: /m,
      /^ {2}TRUST_PROXY: /m,
      /^ {2}BACKUP_SCHEDULE: /m,
      /^ {2}MAIL_FROM: required with SMTP_URL/m
    ],
    make: changeSettings(
      text =>
        `${text.replace(/^(TIMEZONE|TRUST_PROXY|BACKUP_SCHEDULE)=.*\n/gm, '')}TIMEZONE=Berlin\nTRUST_PROXY=yes\nBACKUP_SCHEDULE=25:00\nSMTP_URL=smtp://localhost\n`
    )
  },
  {
    name: 'an object store without its keys',
    expected: [/BACKUP_S3_BUCKET/, /BACKUP_S3_ACCESS_KEY_ID/, /BACKUP_S3_SECRET_ACCESS_KEY/],
    make: addSettings('BACKUP_S3_ENDPOINT=https://s3.example.org')
  },
  {
    name: 'a file of a secret that does not exist',
    expected: [/ADMIN_KEY_FILE: .*\/etc\/kalends\/no-such-file/],
    make: addSettings('ADMIN_KEY_FILE=/etc/kalends/no-such-file')
  },
  { name: 'settings that the service cannot read', expected: [findSymptom('.env: cannot read')], make: hideSettings },
  {
    name: 'a port that another program uses',
    expected: [findSymptom('Port 8080 is already in use')],
    make: takePort
  },
  {
    name: 'a database server that is not reachable',
    expected: [findSymptom('waiting for the database (DATABASE_URL)')],
    make: addSettings('DATABASE_URL=postgres://kalends:secret@127.0.0.1:1/kalends')
  },
  {
    name: 'another encryption key',
    expected: [findSymptom('The account numbers and secrets in this database are encrypted with another key')],
    make: addSettings(`ENCRYPTION_KEY=${'another key '.repeat(4)}`)
  },
  ...(isRoot
    ? [
        {
          name: 'data of another user',
          expected: [findSymptom('The data folder … belongs to another user')],
          make: giveDataToAnotherUser
        }
      ]
    : [])
]

/** Commands that are refused while the service runs, or in the wrong folder. */
export const wrongCommands: { name: string; expected: RegExp; lines: string }[] = [
  {
    name: 'a second server on the same data',
    expected: findSymptom('Another Kalends is already running on the data folder'),
    lines: 'cd /var/lib/kalends\nPORT=0 runuser -u kalends -- kalends serve'
  },
  {
    name: 'a command in another folder',
    expected: findSymptom('There is no database in'),
    lines: 'cd /\nrunuser -u kalends -- kalends doctor'
  },
  {
    name: 'a restore while the service runs',
    expected: findSymptom('A Kalends is using this database'),
    lines: `cd /var/lib/kalends
      runuser -u kalends -- kalends backup /backups/running.backup
      runuser -u kalends -- kalends restore --replace --yes /backups/running.backup`
  }
]

/** Makes a mistake of the settings while the service is stopped, and checks that nothing was created. */
export async function startWithMistake(machine: Machine, { expected, make }: Mistake): Promise<void> {
  const { run, locate, readLog } = machine
  await run('systemctl stop kalends')
  const files = await readdir(locate('/var/lib/kalends'))
  const undo = await make(machine)
  try {
    await run('systemctl start kalends')
    const isRefused = async () => {
      const printed = await readLog()
      return expected.every(form => form.test(printed))
    }
    await waitUntil(isRefused).catch(async () => assert.fail(`Not as expected:\n${await readLog()}`))
  } finally {
    await run('systemctl stop kalends')
    await undo()
  }
  assert.doesNotMatch(await readLog(), /^ {4}at |listening at/m)
  assert.deepEqual(await readdir(locate('/var/lib/kalends')), files)
}
