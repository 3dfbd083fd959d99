def kernel({{names}}):
    """Yours. Returns `{"name": Tensor(dtype, shape, data)}` with every output, or raises Rejected or Unsupported.

    {{documents}}

    {{outputs}}

    `philox` and `threefry` draw a block of words; replace them by your generator.
    """
    raise Unsupported("the kernel of {{op}} is not written yet")
