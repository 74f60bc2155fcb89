"""What a page of Bokeh's sends, as in a patch of its document."""


def changed(model, name, value):
    """A property was set on the page."""
    return {"kind": "ModelChanged", "model": {"id": model.id}, "attr": name, "new": value}


def said(component, message):
    """A view of Panel's JSComponent said something; `message` as Bokeh encodes it."""
    entries = [["model", {"id": component.id}], ["data", message]]
    event = {"type": "event", "name": "data_event", "values": {"type": "map", "entries": entries}}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
