"""The embedders, a module each: a server, a directory with a static or an ONNX model, a program."""
