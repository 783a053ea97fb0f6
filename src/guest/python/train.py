"""Run once by the build, so that the machine code of what programs use is there before the first of them."""

import asyncio, base64, bisect, collections, copy, csv, dataclasses, datetime, decimal, difflib, enum, fractions, functools
import gzip, hashlib, heapq, html, io, itertools, json, math, operator, pathlib, pickle, pprint, random, re, shlex
import statistics, string, struct, textwrap, traceback, types, typing, unicodedata, urllib.parse, uuid, zlib
import xml.etree.ElementTree as tree


def numbers():
    values = [random.random() * 1000 - 500 for _ in range(500)]
    ints = [int(v) ** 9 for v in values]
    sum(ints), max(ints), min(ints), sorted(values), sorted(ints, reverse=True), divmod(ints[0], 7), pow(3, 1000, 97)
    [f"{v:.3f} {v:>12e} {v:,}" for v in values], [round(v, 2) for v in values], [math.sqrt(abs(v)) for v in values]
    math.factorial(200), math.gcd(*ints[:5]), math.comb(50, 20), 7**300 // 3**99, (1 << 700) >> 300, ~5 & 0xFF | 3 ^ 1
    statistics.mean(values), statistics.median(values), statistics.stdev(values), statistics.quantiles(values)
    decimal.Decimal("1.1") / decimal.Decimal(3), fractions.Fraction(1, 3) + fractions.Fraction(2, 7), complex(1, 2) ** 2
    [x / 3 for x in range(100)], [x // 3 % 5 for x in range(100)], int("123456789" * 9), str(2**600), float("1e300")
    struct.unpack("<IdH", struct.pack("<IdH", 1, 2.0, 3)), int.from_bytes(b"\1\2\3", "big"), (12345).to_bytes(4, "little")


def texts():
    text = "The quick brown f\u00f6x, \u6f22\u5b57 and \U0001f600 jumps over 13 lazy dogs.\n" * 50
    text.split(), text.upper().lower().title().swapcase(), text.replace("fox", "cat"), text.encode().decode(), text[::-1]
    text.find("lazy"), text.count("o"), text.partition(" "), text.splitlines(), text.strip().center(90), "x".join("abc" * 99)
    textwrap.fill(text), textwrap.dedent(text), html.escape(text), html.unescape("&lt;&amp;&eacute;"), repr(text), ascii(text)
    re.findall(r"\b(\w+)\s+(?P<next>\w+)", text), re.sub(r"[aeiou]+", lambda m: m[0].upper(), text), re.split(r"\W+", text)
    re.compile(r"^(a|b)*?c{2,3}(?=x)(?!y)(?<=z)", re.I | re.M | re.S).search(text), re.fullmatch(r"(\d+)-(\d+)", "12-34").groups()
    unicodedata.normalize("NFKD", text), unicodedata.name("\u00f6"), string.Template("$a").substitute(a=1), "%s %5.2f %r" % (1, 2, "x")
    "{0:>10} {a!r} {b[0]}".format(1, a=2, b=[3]), text.translate({97: "b"}), difflib.get_close_matches("appel", ["ape", "apple"])
    list(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"])), shlex.split("a 'b c' d"), text.casefold().zfill(5), text.isalnum()
    "\n".join(sorted(set(text.split()), key=len)), text.startswith("The"), text.encode("latin-1", "replace"), text.encode("utf-16")


@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: float = 0.0
    tags: list = dataclasses.field(default_factory=list)


class Color(enum.Enum):
    RED = 1
    BLUE = enum.auto()


class Base:
    count = 0

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)

    def __init__(self, a, *rest, b=2, **more):
        self.a, self.rest, self.b, self.more = a, rest, b, more

    @property
    def total(self):
        return self.a + self.b

    @classmethod
    def make(cls):
        return cls(1, 2, b=3, c=4)

    @staticmethod
    def fixed():
        return 1

    def __eq__(self, other):
        return self.a == other.a

    def __hash__(self):
        return hash(self.a)

    def __lt__(self, other):
        return self.a < other.a

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return i

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


class Derived(Base):
    def __getattr__(self, name):
        return name

    def __call__(self):
        return super().make()


def structures():
    points = [Point(i, i * 1.5, [str(i)]) for i in range(50)]
    sorted(points), [dataclasses.asdict(p) for p in points], dataclasses.replace(points[0], x=9), repr(points), points[0] == points[1]
    counter = collections.Counter("mississippi"); counter.most_common(2); groups = collections.defaultdict(list)
    for p in points:
        groups[p.x % 3].append(p)
    queue = collections.deque(range(10), 5); queue.rotate(2); queue.appendleft(1); queue.pop()
    collections.OrderedDict(a=1).move_to_end("a"); collections.ChainMap({}, {}); collections.namedtuple("P", "x y")(1, 2)._asdict()
    heap = []; [heapq.heappush(heap, -i) for i in range(50)]; [heapq.heappop(heap) for _ in range(50)]; bisect.insort([1, 3], 2)
    list(itertools.groupby(sorted("abracadabra"))), list(itertools.permutations(range(4))), list(itertools.chain([1], [2]))
    list(itertools.islice(itertools.count(), 5)), list(itertools.accumulate(range(9), operator.mul)), list(itertools.product("ab", repeat=3))
    list(zip(range(3), "abc", strict=True)), dict(zip("abc", range(3))), {*range(9)} | {1} & {2} - {3} ^ {4}, [*map(str, filter(None, range(9)))]
    any(x > 3 for x in range(9)), all([]), list(enumerate("ab", 1)), list(reversed(range(3))), copy.deepcopy({"a": [1, (2, {3})]}), frozenset("ab")
    a, *b = range(5); first = b[1:-1:2]; del b[0]; b[1:2] = [7, 8]; b.extend(first); b.sort(key=lambda v: -v); b.insert(0, 1); b.remove(1)
    nested = {"a": {"b": [1, 2, {"c": None}]}}; nested["a"].setdefault("d", 1); nested |= {"e": 2}; nested.pop("e"); nested.get("z", {})
    functools.reduce(operator.add, range(9)), functools.lru_cache(maxsize=9)(lambda x: x)(1), functools.partial(int, base=2)("101")
    Color.RED.name, Color(2), list(Color), isinstance(points[0], Point), Derived.make().total, Derived(1).nothing, Derived(1)(), hash(Derived(2))
    with Derived(1) as d:
        raise ValueError("inside")
    match nested:
        case {"a": {"b": [x, *_]}} if x:
            pass
        case Point(x=0) | [1, 2] | str():
            pass
    (lambda *a, k=1, **kw: (a, k, kw))(1, 2, z=3); type("T", (Base,), {"v": 1}).v; memoryview(b"abc")[1:].tobytes(); bytearray(b"x") + b"y"
    x = 10
    while x := x - 1:
        if x == 3:
            break
    else:
        pass
    global trained
    trained = [i for i in range(10) if i % 2 for j in range(i)], {i: j for i, j in enumerate("abc")}, {i for i in "abc"}, tuple(i for i in "abc")


def generators():
    def numbers():
        received = yield 1
        yield from [received, 2]
        return 3

    g = numbers(); next(g); g.send(5); list(g)
    try:
        try:
            {}["missing"]
        except KeyError as error:
            raise RuntimeError("outer") from error
        finally:
            pass
    except (RuntimeError, OSError) as error:
        "".join(traceback.format_exception(error)); error.add_note("note"); str(error), repr(error)
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError:
        pass
    except* TypeError:
        pass

    async def work(i):
        await asyncio.sleep(0)
        return i

    async def main():
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work(i)) for i in range(5)]
        return [t.result() for t in tasks], await asyncio.gather(*(work(i) for i in range(5))), [i async for i in agen()]

    async def agen():
        yield 1

    asyncio.run(main())


def formats():
    data = {"a": [1, 2.5, None, True, "t\u00e9xt"], "b": {"c": "d" * 50}, "e": list(range(200))}
    json.loads(json.dumps(data)), json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False), json.loads(json.dumps(data).encode())
    out = io.StringIO(); writer = csv.DictWriter(out, ["a", "b"]); writer.writeheader(); writer.writerows([{"a": 1, "b": 'x,"y"'}] * 20)
    list(csv.DictReader(io.StringIO(out.getvalue()))), list(csv.reader(["1;2"], delimiter=";"))
    now = datetime.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=datetime.timezone.utc)
    now.isoformat(), now.strftime("%A %d %B %Y %H:%M:%S %z %j %U"), datetime.datetime.strptime("2024-01-02 03:04:05", "%Y-%m-%d %H:%M:%S")
    now + datetime.timedelta(days=3, hours=4), now - datetime.datetime.fromisoformat("2023-01-01T00:00:00+02:00"), now.date().isocalendar(), now.timestamp()
    datetime.datetime.fromtimestamp(0), datetime.date.today(), now.astimezone(datetime.timezone(datetime.timedelta(hours=2)))
    base64.b64decode(base64.b64encode(b"bytes" * 20)), hashlib.sha256(b"x").hexdigest(), hashlib.md5(b"x").hexdigest(), zlib.decompress(zlib.compress(b"x" * 999))
    gzip.decompress(gzip.compress(b"y" * 999)), pickle.loads(pickle.dumps(data)), uuid.uuid4(), uuid.uuid5(uuid.NAMESPACE_DNS, "x"), pprint.pformat(data)
    urllib.parse.urlencode({"a": "b c"}), urllib.parse.urlparse("https://u:p@h:1/p?q#f"), urllib.parse.quote("\u00e9/"), urllib.parse.parse_qs("a=1&b=2")
    root = tree.fromstring("<r a='1'><b>t</b><b/></r>"); [b.text for b in root.iter("b")]; tree.tostring(root); root.find("b").get("x")
    random.choice([1, 2]), random.shuffle([1, 2, 3]), random.sample(range(99), 5), random.gauss(0, 1), random.randint(1, 6), random.choices("ab", k=3)
    pathlib.PurePosixPath("/a/b/../c.txt").with_suffix(".md").parts, typing.get_type_hints(Point), compile("x = 1", "f", "exec"), eval("1 + 2"), exec("y = 1")


def deep(n):
    return n if n == 0 else 1 + deep(n - 1)


# What programs spend their time with: what the profile sees here is compiled with its callees in line.
def hot(rounds):
    rows = [{"id": i, "name": f"name {i % 97}", "price": i * 0.25, "tags": ["a", "b"][: i % 3]} for i in range(300)]
    for number in range(rounds):
        totals, seen, words, grid = {}, set(), [], [[0] * 20 for _ in range(20)]
        for row in rows:
            key = row["name"].split()[1] + "/" + str(row["id"] % 11)
            totals[key] = totals.get(key, 0) + row["price"]
            if row["id"] not in seen and "b" in row["tags"]:
                seen.add(row["id"])
            words.append(key.upper() if number % 2 else "%s-%d" % (key, number))
        ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))[:10]
        for i, line in enumerate(grid):
            for j in range(len(line)):
                line[j] = (i * j + number) % 7 or line[j - 1]
        tree_of(8), collatz(27 + number), primes(2000), matrix(grid, grid), "".join(words).count("n"), dict(ranked)
        Account(number).deposit(5).deposit(7).balance, sum(x * x for x in range(200) if x & 1), max(map(len, words)), edit("kitten", "sitting")


def tree_of(depth):
    return (tree_of(depth - 1), depth, tree_of(depth - 1)) if depth else None


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def primes(limit):
    flags = [True] * limit
    for i in range(2, int(limit**0.5) + 1):
        if flags[i]:
            for j in range(i * i, limit, i):
                flags[j] = False
    return [i for i in range(2, limit) if flags[i]]


def matrix(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def edit(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, 1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (x != y)))
        before = now
    return before[-1]


class Account:
    def __init__(self, balance):
        self.balance = balance

    def deposit(self, amount):
        if amount < 0:
            raise ValueError(amount)
        self.balance += amount
        return self


for part in (numbers, texts, structures, generators, formats):
    for _ in range(2):
        part()
hot(60)
deep(500)
try:
    deep(100000)
except RecursionError:
    pass

from glovebox_guest import runner

PROGRAMS = (
    "def f(x):\n    return x['a']\ntry:\n    f({})\nexcept KeyError:\n    raise RuntimeError('x') from None",
    "import asyncio\nasync def f(i):\n    return i\nawait asyncio.gather(*(f(i) for i in range(3)))",
    "for i in range(3):\n    count: int = i\n    if i == 2:\n        return {'count': [count, None, 'text', 1.5]}",
    "x = (",
    "import os",
    "import json\njson.loads('{')",
    "{1, 2}",
    "print('x' * 1000, flush=True)\nresult = list(range(1000))",
)
for code in PROGRAMS * 2:
    runner.run(json.dumps({"code": code, "name": "t", "tools": [{"server": "s", "tools": ["t"]}], "context": {}, "maxOutputBytes": 65536, "rehearsal": True}))
