// Writes the OpenAPI documents of the services to docs/api, and the catalogue of problem codes. The build generates the client's types from them, so
// this runs from the source.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeCatalogue } from './problems.mjs'

const names = ['campaigns', 'calendar', 'platform']
const documents = names.map(name => {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'src/main.ts', 'openapi', name], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  if (status !== 0) process.exit(1)
  return stdout
})
writeCatalogue()
for (const [place, name] of names.entries()) writeFileSync(`docs/api/${name}.json`, documents[place])
