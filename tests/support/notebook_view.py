"""A lab in a notebook, without one: what its page sends, and Panel's way of reading it."""

from bokeh.document import Document
from page_events import changed, said
from panel.io.model import add_to_doc
from panel.models.comm_manager import CommManager
from pyviz_comms import Comm

from widgets import AttentionLab


class NotebookView:
    """A view that stands on a page. `send` takes a parcel of what `choose` and `say` make."""

    def __init__(self, **params):
        self.lab = AttentionLab(**params)
        doc, comm = Document(), Comm()
        self.root = self.lab._render_model(doc, comm)
        self.id, self.data = self.root.ref["id"], self.root.data
        self.lab._comms[self.id] = (comm, comm)
        add_to_doc(self.root, doc, True)
        comm._comm = True  # else Panel takes it for closed and sends nothing
        self.manager = CommManager(plot_id=self.id)
        self.send(self.say(shown={"type": "map", "entries": []}))

    def send(self, *events):
        parcel = {"header": {"msgid": "1", "msgtype": "PATCH-DOC"}, "metadata": {}, "_buffers": {}}
        self.lab._on_msg(self.id, self.manager, {**parcel, "content": {"events": list(events)}})

    def choose(self, name, value):
        return changed(self.data, name, value)

    def say(self, **message):
        entries = [[name, value] for name, value in {"view": self.data.id, **message}.items()]
        return said(self.root, {"type": "map", "entries": entries})
