"""The last step before the snapshot. What there is by then, every guest has to its end: references to it are counted no
more, and collections pass it over. A guest that merely uses it would otherwise write to it, and copy each page."""

import array
import gc
import sys
import types

_COUNTED = 1 << 30  # up to here: beyond, CPython takes an object for immortal
_BATCH = 5000
_UNDER_WAY = (types.FrameType, types.GeneratorType, types.CoroutineType)


def last(uncount):
    """`uncount` makes the objects at these addresses immortal."""

    def is_counted(one):
        return sys.getrefcount(one) < _COUNTED and not isinstance(one, _UNDER_WAY) and one is not uncount

    gc.collect()
    found = gc.get_objects()
    while found:
        further = []
        for begin in range(0, len(found), _BATCH):
            batch = {id(one): one for one in found[begin : begin + _BATCH] if is_counted(one)}
            uncount(array.array("I", batch))
            further += filter(is_counted, gc.get_referents(*batch.values()))
            for one in batch.values():
                if isinstance(one, types.CodeType):  # not known to the collector
                    further += filter(is_counted, (one.co_consts, one.co_names, one.co_qualname, one.co_filename, *one.co_consts))
        found = further
    gc.freeze()
    del uncount  # the host's: no snapshot can hold it


last
