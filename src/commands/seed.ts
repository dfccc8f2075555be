import { bringKey } from '#fundraising/sealing/key.ts'
import { chosen } from './parts.ts'
import { withStore } from './store.ts'

export async function run(): Promise<void> {
  await withStore(async (store, settings) => {
    await bringKey(store, settings)
    const made: string[] = []
    for (const { name, seed } of chosen([]).map(part => part(settings))) {
      const count = (await seed?.(store, settings)) ?? 0
      if (count > 0) made.push(`${count} in ${name}`)
    }
    const text = made.length === 0 ? 'The sample content is already there.' : `Made sample content: ${made.join(', ')}.`
    console.log(text)
  })
}
