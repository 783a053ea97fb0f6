# Every zygote runs this before it forks: what programs do anyway is compiled then, and found in its place.
import json, re, math

class Sample:
    def __init__(self, number):
        self.number = number

samples = [Sample(number) for number in range(20)]
values = {str(sample.number): sample.number * context["x"] for sample in samples}
print(f"{len(values):>5}", values)
try:
    values["none"]
except KeyError as error:
    told = repr(error)
sorted(values, key=lambda key: -values[key])
json.loads(json.dumps([told, list(values)]))
re.sub(r"(\w)+", "x", told)
sum(values.values())
