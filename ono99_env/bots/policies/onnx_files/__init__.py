"""Check the ONNX file of a bot before onnxruntime sees it; no file here needs the onnx package.

In the order in which a file goes through them:

- `wire_format` decodes protocol buffers, the encoding of ONNX files.
- `parser` reads the model, and refuses every field that a bot file may not have.
- `operators` is the table of operators that a bot file may hold, with the shapes they compute
  (`computing_operators`, `moving_operators`) from `tensors`.
- `shape_inference` refuses other operators, and works out every shape before anything is computed.
- `contract` compares the inputs and outputs with those that a bot file must have.
- `surgery` cuts a file down to some of its outputs, and replaces its metadata.
"""
