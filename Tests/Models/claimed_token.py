"""The machines, the store and the server of claim.py, and what is wrong in a state of them."""

from collections import namedtuple

TTL, MAX = 2, 1
Rec = namedtuple("Rec", "rev gen dead claim")                      # claim: None or (nonce, again, intent); no nonce: free, but in doubt
M = namedtuple("M", "pc rev tok k again age rage mem disk frm orev oage paused cut stale over net")
S = namedtuple("S", "rec lock lage cur alive need ms pend sends f")
NEW = M(*["start"] + [0] * 15 + [()])
FINAL = ("done", "login", "sealed", "down")
STORE = ("start", "claim", "intent", "put", "late", "refused", "verify")   # steps that need the store

BASE = dict(place="record", expiry="observer", intent="merged", check=1, nonce=1, cas=1, retry="try",
            seal="first", late="offer", unknown="read", lost="doubt", error="doubt", server="punish", machines=2, faults=3)

class Bad(Exception): pass

def explore(**over):
    v = dict(BASE, **over)
    n = v["machines"]
    lockkey = v["place"] == "lock" or v["expiry"] == "lease"
    first = S(Rec(1, 1, 0, None), None, 0, 1, 1, 2, (NEW,) * n, (None,) * n, (0,) * 8, v["faults"])

    def nonce(i, m): return (i, m.k) if v["nonce"] else (0, 0)      # without: "this host", the same for both

    def write(s, i, expect, rec, lock="keep", needlock=None):
        """Compare-and-set; returns (state, applied)."""
        if v["cas"] or rec.gen == s.rec.gen:
            if s.rec.rev != expect or (needlock and s.lock != needlock): return s, False
        if rec.gen < s.rec.gen:
            raise Bad("I3: generation %d written over %d" % (rec.gen, s.rec.gen))
        if not v["cas"] and s.rec.rev != expect and rec.gen <= s.rec.gen:
            raise Bad("I3: generation %d written over %d" % (rec.gen, s.rec.gen))
        s = s._replace(rec=rec._replace(rev=s.rec.rev + 1))
        if lock != "keep": s = s._replace(lock=lock, lage=0)
        return s, True

    def put(s, i, m): return s._replace(ms=s.ms[:i] + (m,) + s.ms[i + 1:])

    def doubt(r): return int(bool(r.claim and (r.claim[1] or r.claim[2])))   # may a request for this token have left?

    def stale(s, m):                                                # does this observer hold the claim for dead?
        if v["place"] == "lock": return s.lock is None
        if lockkey: return s.lock != s.rec.claim[0]                 # the live key is a hint: another's or none
        if v["expiry"] == "wallclock": return True                  # clocks differ: any moment may be "later"
        return m.orev == s.rec.rev and m.oage >= TTL

    def step(s, i):
        """What machine i does next: a list of (label, state); empty where it waits."""
        m, out, r = s.ms[i], [], s.rec
        def go(label, t, **kw): out.append(("{%d} %s" % (i, label), put(t, i, t.ms[i]._replace(**kw))))
        if m.pc in FINAL or m.paused or (m.cut and m.pc in STORE): return out
        if m.pc == "start":
            busy = s.lock is not None if v["place"] == "lock" else bool(r.claim and r.claim[0])
            mine = busy and (s.lock if v["place"] == "lock" else r.claim[0]) == nonce(i, m) and (m.k or not v["nonce"])
            if r.gen >= s.need: go("reads a fresh token", s, pc="done", mem=0, disk=0)
            elif m.disk: go("reads; offers what its disk holds", s, pc="late", mem=m.disk)
            elif r.dead: go("reads: refused, login", s, pc="login")
            elif not busy and v["place"] == "lock" and r.claim and v["retry"] == "ask": go("asks for a login", s, pc="login")
            elif not busy: go("reads: no claim", s, pc="claim", rev=r.rev, tok=r.gen, again=doubt(r))
            elif mine and not m.over: go("reads: the claim is mine", s, pc="intent" if v["intent"] == "separate" else "check", rev=r.rev, tok=r.gen, again=doubt(r) if v["place"] == "lock" else r.claim[1])
            elif (mine and m.over) or stale(s, m):
                if v["retry"] == "ask": go("finds a claim without result, asks for a login", s, pc="login")
                else: go("finds a claim without result", s, pc="claim", rev=r.rev, tok=r.gen, again=doubt(r))
            elif m.orev != r.rev or lockkey: go("sees another's claim, waits", s, pc="wait", orev=r.rev, oage=0)
            else: go("waits on", s, pc="wait")
        elif m.pc == "wait":
            if not m.cut and (s.rec.rev != m.orev or (s.rec.claim if v["place"] == "record" else 1) and stale(s, m)): go("wakes", s, pc="start")
        elif m.pc == "claim":
            k = min(m.k + 1, 9); me = (i, k) if v["nonce"] else (0, 0)
            ok = v["place"] == "record" or s.lock is None or (m.over and s.lock == nonce(i, m))
            if v["place"] == "lock": new, lk, exp = None, me, None
            else: new, lk, exp = r._replace(claim=(me, m.again, int(v["intent"] == "merged"))), me if lockkey else "keep", m.rev
            def claim(t):
                if v["place"] == "lock":
                    return (t._replace(lock=me, lage=0), True) if ok and t.rec.rev == m.rev else (t, False)
                return write(t, i, exp, new, lk) if ok else (t, False)
            nxt = dict(k=k, age=0, over=0, pc="intent" if v["intent"] == "separate" else "check")
            t, done = claim(s)
            if done: go("claims" + (" (named retry)" if m.again else ""), t, rev=t.rec.rev, **nxt)
            else: go("claims, conflict", s, pc="start")
            if s.f and done:
                u = s._replace(f=s.f - 1)
                back = dict(nxt, pc="check" if v["unknown"] == "assume" else "start", rev=m.rev + (v["unknown"] == "assume"))
                go("claims, timed out (applied)", claim(u)[0], **back)
                if v["place"] == "record" and s.pend[i] is None:
                    go("claims, timed out (may come later)", u._replace(pend=u.pend[:i] + ((exp, new, lk, None),) + u.pend[i + 1:]), **back)
        elif m.pc == "intent":                                      # a write of its own between claim and request
            if s.lock != nonce(i, m) and lockkey: go("writes intent, conflict", s, pc="start")
            else:
                t, done = write(s, i, m.rev, r._replace(claim=(nonce(i, m), m.again, 1)))
                go("writes intent" if done else "writes intent, conflict", t, pc="check" if done else "start", rev=t.rec.rev)
        elif m.pc == "check":
            if m.age + MAX < TTL or not v["check"]: go("looks at the clock", s, pc="send")
            else: go("looks at the clock: too late to send", s, pc="start", over=1)
        elif m.pc == "send":
            rt = m.tok                                              # the token that it read
            holds = (s.lock if lockkey and v["place"] == "lock" else r.claim and r.claim[0]) == nonce(i, m)
            kind = ""
            if s.sends[rt]:
                if m.again and v["nonce"] and (holds or r.gen > rt): kind = "named retry"
                elif not holds and m.stale: kind = "late send"
                else: raise Bad("I1: %s sends refresh token %d a second time, %s" % ("{%d}" % i, rt,
                                "not knowing it" if holds else "without the claim"))
            t = s._replace(sends=s.sends[:rt] + (min(s.sends[rt] + 1, 3),) + s.sends[rt + 1:])
            go("sends refresh token %d%s" % (rt, " [" + kind + "]" if kind else ""), t, pc="req", frm=rt, rage=0, net=("q", rt), stale=0)
        elif m.pc == "req":
            if m.net and m.net[0] == "a": go("receives generation %d" % m.net[1], s, pc="got", mem=m.net[1], net=())
            elif m.net and m.net[0] == "x": go("receives invalid_grant", s, pc="refused", net=())
            elif m.net and m.net[0] == "e":                         # an error that surely rotated nothing: no request, for I1
                s = s._replace(sends=s.sends[:m.frm] + (s.sends[m.frm] - 1,) + s.sends[m.frm + 1:])
                if m.cut: go("receives an error", s, pc="start", over=1, net=())
                else:
                    was = (None, 1, 1) if m.again and v["error"] == "doubt" else None
                    t, _ = write(s, i, m.rev, r._replace(claim=was), None if lockkey else "keep")
                    go("receives an error, releases the claim", t, pc="start", over=1, net=())
            elif m.rage >= MAX or not m.net:
                if v["lost"] == "release":
                    t, _ = write(s, i, m.rev, r._replace(claim=None), None if lockkey else "keep")
                    go("gives up, releases the claim", t, pc="start")
                elif v["lost"] == "doubt" and not m.cut:
                    t, _ = write(s, i, m.rev, r._replace(claim=(None, 1, 1)), None if lockkey else "keep")
                    go("gives up, releases the claim, the doubt stays", t, pc="start", over=1)
                else: go("gives up, the claim stays", s, pc="start", over=1)
        elif m.pc == "got":
            if v["seal"] == "first": go("seals the answer on its disk", s, pc="put", disk=m.mem)
            else: go("goes to store", s, pc="put")
        elif m.pc == "put":
            new = Rec(0, m.mem, 0, None)
            lk, need = None if lockkey else "keep", nonce(i, m) if v["place"] == "lock" else None
            def store(t): return write(t, i, m.rev, new, lk, need)
            t, done = store(s)
            if done: go("stores generation %d" % m.mem, t, pc="done", mem=0, disk=0)
            else: go("stores, conflict", s, pc="late", disk=m.mem)
            if s.f and done:
                u = s._replace(f=s.f - 1); nxt = "send" if v["unknown"] == "resend" else "late"
                go("stores, timed out (applied)", store(u)[0], pc=nxt)
                if s.pend[i] is None:
                    go("stores, timed out (may come later)", u._replace(pend=u.pend[:i] + ((m.rev, new, lk, need),) + u.pend[i + 1:]), pc=nxt)
        elif m.pc == "late":                                        # holds an answer: is the record still what it came from?
            if r.gen >= m.mem: go("reads: as new already", s, pc="done", mem=0, disk=0)
            elif r.gen != m.frm and m.frm: go("reads: newer", s, pc="done", mem=0, disk=0)
            elif v["late"] == "offer":
                t, done = write(s, i, r.rev, Rec(0, m.mem, 0, None), None if lockkey else "keep")
                go("offers generation %d" % m.mem, t, pc="done", mem=0, disk=0)
            elif r.claim and r.claim[0] == nonce(i, m): go("tries again", s, pc="put", rev=r.rev)
            else: go("keeps the answer for a hand", s, pc="sealed", mem=0)
        elif m.pc == "refused":
            if r.gen > m.frm: go("reads again: a newer token", s, pc="start")
            elif r.rev != m.rev: go("reads again: the record changed", s, pc="start", over=1)
            else:
                t, _ = write(s, i, m.rev, r._replace(dead=1, claim=None), None if lockkey else "keep")
                good = s.alive and (s.cur == r.gen or (v["server"] == "grace" and s.cur == r.gen + 1))
                if good: raise Bad("I5: marked refused, though the server would take it")
                go("marks the token refused, login", t, pc="login")
        if out and any(t.ms[i].pc == "login" for _, t in out) and m.pc == "start" and not r.dead and s.alive and s.cur == r.gen:
            raise Bad("I5: %s asks for a login, though the stored token is good" % "{%d}" % i)
        return out

    def server(s, kind):
        """The server takes requests: `q` before time passes, `h` (held up in the network) at any time."""
        out = []
        for i, m in enumerate(s.ms):
            name = "{%d}" % i
            if m.net and m.net[0] == kind:                          # the server takes the request
                rt, t = m.net[1], s
                if not s.alive: a = ("x",)
                elif rt == s.cur or (v["server"] == "grace" and rt == s.cur - 1):
                    t = s._replace(cur=s.cur + 1); a = ("a", t.cur)
                else:
                    a = ("x",)
                    if v["server"] == "punish": t = s._replace(alive=0)
                out.append(("server: %s" % ("rotates to %d" % a[1] if a[0] == "a" else "refuses" + (", revokes the family" if s.alive and not t.alive else "")),
                            put(t, i, m._replace(net=a if m.pc == "req" else ()))))
        return out

    def world(s):
        """Faults, and what comes late."""
        out = server(s, "h")
        if s.f and s.rec.gen == s.need and s.need < 3 and s.rec.claim is None:
            out.append(("generation %d expires too" % s.need, s._replace(need=s.need + 1, f=s.f - 1)))
        for i, m in enumerate(s.ms):
            name = "{%d}" % i
            if s.pend[i]:
                exp, rec, lk, need = s.pend[i]
                t, done = write(s, i, exp, rec, lk, need)
                out.append(("%s's write comes late%s" % (name, "" if done else ", conflict"), t._replace(pend=t.pend[:i] + (None,) + t.pend[i + 1:])))
            if m.paused: out.append((name + " resumes", put(s, i, m._replace(paused=0))))
            if m.cut: out.append((name + " reaches the store again", put(s, i, m._replace(cut=0))))
            if m.pc == "down":
                if m.rage == 0: out.append((name + " restarts", put(s, i, NEW._replace(disk=m.disk, frm=m.frm, k=m.k, net=m.net))))
            elif s.f and m.pc not in FINAL:
                u = s._replace(f=s.f - 1)
                if not m.paused:
                    if m.mem and not m.disk and m.pc != "got" and s.rec.gen < m.mem and v["seal"] != "first":
                        raise Bad("I2: %s crashes while it stores: the answer that it had is lost" % name)
                    out.append((name + " crashes", put(u, i, NEW._replace(pc="down", disk=m.disk, frm=m.frm, k=min(m.k + 1, 9), net=m.net if m.net and m.net[0] in "qh" else ()))))
                    out.append((name + " is stopped", put(u, i, m._replace(paused=1, stale=int(m.stale or m.pc == "send")))))
                if not m.cut: out.append((name + " is cut off from the store", put(u, i, m._replace(cut=1))))
            if s.f and m.net:
                u = s._replace(f=s.f - 1)
                if m.net[0] == "q":
                    out.append(("the request of %s is lost" % name, put(u, i, m._replace(net=()))))
                    if m.pc == "req": out.append(("server: error to %s" % name, put(u, i, m._replace(net=("e",)))))
                    out.append(("the request of %s is held up" % name, put(u, i, m._replace(net=("h", m.net[1])))))
                elif m.pc == "req" and m.net[0] != "h": out.append(("the answer to %s is lost" % name, put(u, i, m._replace(net=()))))
        return out

    def tick(s):
        ms = tuple(m._replace(age=min(m.age + 1, TTL) if m.k else m.age,
                              rage=min(m.rage + 1, MAX) if m.pc == "req" else m.rage,
                              oage=min(m.oage + 1, TTL) if m.pc in ("wait", "start") and m.orev == s.rec.rev else m.oage) for m in s.ms)
        lage = min(s.lage + 1, TTL) if s.lock else 0
        return s._replace(ms=ms, lage=lage, lock=None if lage >= TTL else s.lock)

    def lost(s):
        if s.cur == 1 or s.rec.gen == s.cur: return False
        for m in s.ms:
            if s.cur in (m.mem, m.disk) or (m.net == ("a", s.cur) and m.pc == "req"): return False
        if any(p and p[1].gen == s.cur for p in s.pend): return False
        return not (doubt(s.rec) or s.rec.dead or (s.lock and v["intent"] == "none") or s.rec.gen >= s.cur
                    or (v["server"] == "grace" and s.rec.gen == s.cur - 1))  # still taken

    def canonical(s):
        """The same state for everything that follows: revisions count from the record's, stale ones are -1, an older
        nonce is 0 and the newest 1, clocks that nobody will read stand still, machines are sorted."""
        base, claimed = s.rec.rev, s.rec.claim and s.rec.claim[0]
        rel = lambda r: r - base if r >= base else -1
        non = lambda x: x and ((x[0], int(x[1] == s.ms[x[0]].k)) if v["nonce"] else x)
        rec = lambda r: r._replace(rev=0, claim=r.claim and (non(r.claim[0]),) + r.claim[1:])
        pend = [p and (None if v["cas"] and p[0] < base else (rel(p[0]), rec(p[1]), p[2] if p[2] == "keep" else non(p[2]), non(p[3]))) for p in s.pend]
        ms = []
        for i, m in enumerate(s.ms):
            if m.pc in ("done", "login"): m = NEW._replace(pc=m.pc, k=min(m.k, 1), net=m.net)
            else:
                o = m.orev == base
                own = pend[i] or (i, m.k) in (claimed, s.lock) or not v["nonce"]
                m = m._replace(rev=rel(m.rev), k=min(m.k, 1), age=m.age if own else TTL, orev=0 if o else -1, oage=m.oage if o else 0)
            ms.append(m)
        at = (claimed or s.lock or (9,))[0]
        perm = sorted(range(n), key=lambda i: (ms[i], i == at, pend[i] is not None)) if v["nonce"] else list(range(n))
        back = {o: c for c, o in enumerate(perm)}
        mov = lambda x: x and ((back[x[0]], x[1]) if v["nonce"] else x)
        rem = lambda r: r._replace(claim=r.claim and (mov(r.claim[0]),) + r.claim[1:])
        return s._replace(rec=rem(rec(s.rec)), lock=mov(non(s.lock)), ms=tuple(ms[o] for o in perm),
                          pend=tuple(pend[o] and (pend[o][0], rem(pend[o][1]), pend[o][2] if pend[o][2] == "keep" else mov(pend[o][2]), mov(pend[o][3]))
                                     for o in perm)), perm

    first = canonical(first)[0]
    seen, order, parent, succ, kinds = {first: 0}, [first], [None], [], {}
    def trace(j, last=""):
        path = []
        while parent[j]: path.append(parent[j]); j = parent[j][0]
        names, out = "ABC", []
        for _, label, perm in path[::-1]:
            out.append(label.format(*names)); names = "".join(names[o] for o in perm)
        return out + ([last.format(*names)] if last else [])
    bad = None
    for j, s in enumerate(order):                                   # `order` grows while it is read
        succ.append([])
        try:
            steps = [x for i in range(n) for x in step(s, i)] + server(s, "q")
            if not steps:
                t = tick(s)
                if canonical(t)[0] != s: steps = [("time passes", t)]
            if not steps and any(m.pc not in FINAL and not m.paused and not m.cut for m in s.ms):
                raise Bad("I4: somebody waits for ever")
            if not steps and v["late"] == "hand" and s.rec.dead and any(m.disk == s.cur and m.pc in ("sealed",) for m in s.ms) and s.alive:
                raise Bad("I5: marked refused for good, while a disk holds the answer")
            if not steps and s.rec.dead and s.alive and any(m.disk == s.cur and m.pc in FINAL[:3] for m in s.ms):
                raise Bad("I5: marked refused for good, while a disk holds the answer")
            if lost(s): raise Bad("I2: generation %d was lost and the record does not show it" % s.cur)
            steps += world(s)
        except Bad as e:
            bad = trace(j, str(e)); bad = (bad[-1], bad[:-1]); break
        for label, t in steps:
            for key in ("[named retry]", "[late send]", "revokes the family", "marks the token refused", "too late to send", "offers generation"):
                if key in label: kinds.setdefault(key.strip("[]"), [0, trace(j, label)])[0] += 1
            t, perm = canonical(t)
            if t not in seen:
                seen[t] = len(order); order.append(t); parent.append((j, label, perm))
            succ[j].append(seen[t])
        if len(order) > 3000000: bad = ("too many states", []); break
    depth = 0
    if not bad:                                                     # a circle? how long is the longest run?
        indeg = [0] * len(order)
        for a in succ:
            for b in a: indeg[b] += 1
        todo, length, gone = [0] if indeg[0] == 0 else [], [0] * len(order), 0
        while todo:
            a = todo.pop(); gone += 1; depth = max(depth, length[a])
            for b in succ[a]:
                length[b] = max(length[b], length[a] + 1); indeg[b] -= 1
                if indeg[b] == 0: todo.append(b)
        if gone < len(order):
            a, way = next(x for x in range(len(order)) if indeg[x] > 0), {}
            pred = {b: a for a in range(len(succ)) if indeg[a] > 0 for b in succ[a] if indeg[b] > 0}
            while a not in way: way[a] = 1; a = pred[a]             # back until a state comes again: it lies on the circle
            bad = ("I4: a circle of states", trace(a))
    return len(order), sum(map(len, succ)), depth, bad, kinds
