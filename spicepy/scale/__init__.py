"""Work of any size: in blocks, on several processes or machines, resumable.

    files ─ survey ─▶ facts about all captions
    files ─ blocks ─▶ Block ─ scoring or graphs, by an engine ─▶ Done ─▶ Folder
                                              Folder ─ totals, rows ─▶ output files

A block is scored as if the whole were one: nothing depends on where blocks end, on
their order or on who works on them.
"""
