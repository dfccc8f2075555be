import { setTimeout as sleep } from 'node:timers/promises'
import type { Clients } from '../support/ha/clients.ts'
import { type Cluster, members, type NodeName, nodes } from '../support/ha/cluster.ts'

/** A failure under load, and its repair. */
export interface Fault {
  name: string
  says: string
  /** How long the failure lasts deliberately: no cluster can write before. */
  heldMs?: number
  /** Returns other problems. */
  run(cluster: Cluster, clients: Clients): Promise<string[]>
}

/** Above every limit: without recovery the run ends. */
const recoveryMs = 90_000
/** Longer than a lease, after which another node takes over. */
const longerThanLeaseMs = 30_000

export const faults: Fault[] = [
  {
    name: 'machine',
    says: 'the machine of the primary dies',
    run: async (cluster, clients) => {
      const { primary, standby } = await cluster.places()
      cluster.signal('SIGKILL', primary)
      await clients.untilAllWrote(recoveryMs)
      const problems = await checkPrimary(cluster, standby)
      await cluster.start(primary)
      return problems
    }
  },
  {
    name: 'postmaster',
    says: 'PostgreSQL of the primary is killed, Patroni keeps running',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      cluster.signal('SIGKILL', primary, 'postmaster')
      await clients.untilAllWrote(recoveryMs)
      return []
    }
  },
  {
    name: 'patroni',
    says: 'Patroni of the primary is killed, PostgreSQL keeps running',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      cluster.signal('SIGKILL', primary, 'patroni')
      await sleep(longerThanLeaseMs)
      await clients.untilAllWrote(recoveryMs)
      await cluster.start(primary)
      return []
    }
  },
  {
    name: 'standby',
    says: 'the machine of the synchronous standby dies',
    run: async (cluster, clients) => {
      const { primary, standby } = await cluster.places()
      cluster.signal('SIGKILL', standby)
      await clients.untilAllWrote(recoveryMs)
      const problems = await checkPrimary(cluster, primary)
      await cluster.start(standby)
      return problems
    }
  },
  {
    name: 'frozen',
    says: 'the machine of the primary freezes, and thaws when another has taken over',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      cluster.signal('SIGSTOP', primary)
      await clients.untilAllWrote(recoveryMs)
      cluster.signal('SIGCONT', primary)
      await clients.untilAllWrote(recoveryMs)
      return (await cluster.roles())[primary] === 'leader' ? [`${primary} is the primary again`] : []
    }
  },
  {
    name: 'frozen-standby',
    says: 'the machine of the synchronous standby freezes, and thaws later',
    run: async (cluster, clients) => {
      const { primary, standby } = await cluster.places()
      cluster.signal('SIGSTOP', standby)
      await clients.untilAllWrote(recoveryMs)
      const problems = await checkPrimary(cluster, primary)
      cluster.signal('SIGCONT', standby)
      return problems
    }
  },
  {
    name: 'two-machines',
    says: 'primary and synchronous standby die together, and come back',
    heldMs: longerThanLeaseMs,
    run: async (cluster, clients) => {
      const { primary, standby, third } = await cluster.places()
      cluster.signal('SIGKILL', standby)
      cluster.signal('SIGKILL', primary)
      await sleep(longerThanLeaseMs)
      const problems = (await cluster.roles())[third] === 'leader' ? [`${third} was promoted`] : []
      await cluster.start(primary, standby)
      await clients.untilAllWrote(recoveryMs)
      return problems
    }
  },
  {
    name: 'stalled',
    says: 'replication stalls for 3 s, then the machine of the primary dies',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      cluster.signal('SIGSTOP', primary, 'senders')
      await sleep(3000)
      cluster.signal('SIGKILL', primary)
      await clients.untilAllWrote(recoveryMs)
      await cluster.start(primary)
      return []
    }
  },
  {
    name: 'etcd',
    says: 'all of etcd freezes for 40 s',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      for (const member of members) cluster.signal('SIGSTOP', member)
      await sleep(40_000)
      const written = await clients.untilAllWrote(10_000).then(
        () => [],
        () => ['no client could write while etcd was frozen']
      )
      for (const member of members) cluster.signal('SIGCONT', member)
      await clients.untilAllWrote(recoveryMs)
      return [...written, ...(await checkPrimary(cluster, primary))]
    }
  },
  {
    name: 'etcd-member',
    says: 'one of three etcd dies',
    run: async (cluster, clients) => {
      const { primary } = await cluster.places()
      cluster.signal('SIGKILL', 'etcd1')
      await sleep(10_000)
      await clients.untilAllWrote(recoveryMs)
      const problems = await checkPrimary(cluster, primary)
      await cluster.start('etcd1')
      return problems
    }
  },
  {
    name: 'api',
    says: 'a process of Kalends is killed',
    run: async (cluster, clients) => {
      cluster.signal('SIGKILL', 'kalends1')
      await clients.untilAllWrote(recoveryMs)
      await cluster.start('kalends1')
      await clients.untilAllWrote(recoveryMs)
      return []
    }
  },
  {
    name: 'frozen-api',
    says: 'a process of Kalends freezes for 10 s',
    run: async (cluster, clients) => {
      cluster.signal('SIGSTOP', 'kalends1')
      await sleep(10_000)
      await clients.untilAllWrote(recoveryMs)
      cluster.signal('SIGCONT', 'kalends1')
      await clients.untilAllWrote(recoveryMs)
      return []
    }
  }
]

/** No other node may be primary either. */
async function checkPrimary(cluster: Cluster, expected: NodeName): Promise<string[]> {
  const found = await cluster.roles()
  const leaders = nodes.filter(name => found[name] === 'leader')
  return leaders.join() === expected ? [] : [`the primary is ${leaders.join(' and ') || 'none'}, not ${expected}`]
}
