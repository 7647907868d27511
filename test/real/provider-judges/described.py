"""Checks an answer that botocore has read against the vendor's own description (service-2.json)."""


def missing(shape, value, where="answer"):
    """What the description requires and the answer lacks, with its place."""
    if shape.type_name == "structure":
        lacks = [f"{where}.{name}" for name in shape.required_members if name not in value]
        for name, member in shape.members.items():
            if name in value:
                lacks += missing(member, value[name], f"{where}.{name}")
        return lacks
    if shape.type_name == "list":
        return [
            lack
            for index, one in enumerate(value)
            for lack in missing(shape.member, one, f"{where}[{index}]")
        ]
    if shape.type_name == "string" and shape.enum and value not in shape.enum:
        return [f"{where}={value!r}"]
    return []


def check(client, operation, answer):
    """Raises for an answer that the description does not allow."""
    lacks = missing(client.meta.service_model.operation_model(operation).output_shape, answer)
    if lacks:
        raise SystemExit(f"{operation}: not as described: {', '.join(lacks)}")
    return answer
