/** Pictures by a key of their content. Drawn once for all requests that wait for one; the oldest are dropped. */
export interface PictureCache {
  get(key: string, draw: () => Promise<Buffer>): Promise<Buffer>
}

export function newPictureCache(entriesMax: number): PictureCache {
  const known = new Map<string, Promise<Buffer>>()
  return {
    get: async (key, draw) => {
      const found = known.get(key)
      if (found !== undefined) return await found
      const drawn = draw()
      known.set(key, drawn)
      const [oldest] = known.keys()
      if (known.size > entriesMax && oldest !== undefined) known.delete(oldest)
      try {
        return await drawn
      } catch (error) {
        known.delete(key)
        throw error
      }
    }
  }
}
