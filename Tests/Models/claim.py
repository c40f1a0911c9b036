#!/usr/bin/env python3
"""An exhaustive model of the claim on one rotating refresh token that many machines share.

Every interleaving is explored (breadth first, so a counterexample is a shortest one) of two or three
machines that each need a fresh token, of an authorization server that rotates, and of at most F faults:
  crash     at any step (and a restart, with what lies on the disk)
  pause     at any step (SIGSTOP; resumed at any time, or never)
  cut       the machine does not reach the store (healed at any time, or never)
  lose      the answer, or the request, of the authorization server is lost and the machine sees an error
  error     the server answers an error and rotates nothing
  unknown   a write to the store "timed out": applied now, applied at any later time, or never
  held up   a request reaches the server at any later time, also after its sender gave up
  expires   the new generation expires as well, so that the next machine renews again (the third generation)
Time is a tick: a running machine acts before the next tick; a paused machine's clock goes on. TTL = 2 ticks,
the token request may take MAX = 1, and is sent only while age + MAX < TTL. The token has a generation: 1 has
expired.

Invariants (ghost variables see the truth; the protocol does not):
  I1  a second request with one refresh token is either a *named retry* (the sender's claim says that it is one, and
      nobody took that claim over) or a *late send* (sender was stopped between its look at the clock and the send)
  I2  the newest answer of the server is in the store, on a disk, in a live machine or on its way; or the record
      shows that a request was under way or was refused; what a process received is lost only by a crash in the
      very step before it lies on the disk
  I3  no write replaces a newer generation, nor another's claim unless by a newer generation
  I4  no circle of states (every run ends within a bounded number of steps), and nobody waits for a machine that
      is dead, stopped or cut off
  I5  a login is asked for only when the server would refuse the stored token; and no run ends with a record
      marked refused while a disk holds the answer that would repair it

Usage: Tests/Models/claim.py [-v] [-d]     -v: the traces of the windows too; -d: one fault more each (minutes)
"""
import sys
import time

sys.dont_write_bytecode = True

from claimed_token import explore

LOCK = dict(place="lock", expiry="lease", lost="keep")
VARIANTS = [  # name, changes, expected to hold
    ("claim in the record, no fault at all", dict(faults=0, machines=3), 1),
    ("claim in the record, 3 machines", dict(machines=3, faults=1), 1),
    ("claim in the record, punishing server", dict(), 1),
    ("claim in the record, strict server", dict(server="strict", faults=2), 1),
    ("claim in the record, server with grace", dict(server="grace", faults=2), 1),
    ("claim in the record, and a lease key", dict(expiry="lease", faults=2), 1),
    ("lock key with lease, intent written apart", dict(LOCK, intent="separate", faults=2), 1),
    ("claim in the record, intent written apart", dict(intent="separate", faults=2), 1),
    ("claim left when the answer is lost", dict(lost="keep", faults=2), 1),
    ("lock key with lease, no intent", dict(LOCK, intent="none"), 0),
    ("lock key with lease, store without compare", dict(LOCK, intent="separate", cas=0, faults=2), 0),
    ("store without compare", dict(cas=0), 0),
    ("no look at the remaining time", dict(check=0, faults=2), 0),
    ("expiry by the clock on the wall", dict(expiry="wallclock"), 0),
    ("holder is a host, no nonce", dict(nonce=0), 0),
    ("'timed out' taken for claimed", dict(unknown="assume"), 0),
    ("store 'timed out': request sent again", dict(unknown="resend"), 0),
    ("claim released when the answer is lost", dict(lost="release"), 0),
    ("an error wipes out an older doubt", dict(error="wipe"), 0),
    ("successor asks for a login", dict(retry="ask"), 0),
    ("answer sealed only after a failed store", dict(seal="after"), 0),
    ("late holder keeps it for a hand (strict)", dict(late="hand", server="strict", faults=2), 0),
]

def main():
    verbose, deep, wrong, total, t0 = "-v" in sys.argv, "-d" in sys.argv, 0, 0, time.time()
    for name, change, holds in VARIANTS:
        t1 = time.time()
        if deep and change.get("faults", 3): change = dict(change, faults=change.get("faults", 3) + 1)
        states, edges, depth, bad, kinds = explore(**change)
        total += states
        print("%-44s %d faults %7d states %8d steps %5.1fs  %s" % (name, change.get("faults", 3), states, edges, time.time() - t1,
              "HOLDS, longest run %d" % depth if not bad else "FAILS " + bad[0]))
        if bool(bad) == bool(holds): wrong += 1; print("    NOT AS EXPECTED")
        if bad: print("      " + "; ".join(bad[1]))
        elif kinds: print("      seen: " + ", ".join("%s %d" % (k, c[0]) for k, c in kinds.items()))
        if verbose and not bad:
            for k, c in kinds.items(): print("      %s: %s" % (k, "; ".join(c[1])))
        sys.stdout.flush()
    print("%d states, %.0f s, %s" % (total, time.time() - t0, "all as expected" if not wrong else "%d not as expected" % wrong))
    return 1 if wrong else 0

if __name__ == "__main__": sys.exit(main())
