# SPDX-License-Identifier: MIT
"""tinygrad: tensors on its device CL, against numpy, and a small network that learns."""

import numpy as np
from tinygrad import Context, Device, Tensor
from tinygrad.nn.optim import SGD

assert Device.DEFAULT == "CL", Device.DEFAULT
random = np.random.default_rng(5)

a, b = (random.normal(size=(96, 96)).astype(np.float32) for _ in range(2))
got = (Tensor(a) @ Tensor(b)).relu().softmax(axis=1).numpy()
expected = np.maximum(a @ b, 0)
expected = np.exp(expected - expected.max(1, keepdims=True))
expected /= expected.sum(1, keepdims=True)
assert np.allclose(got, expected, atol=1e-5)
print("tensors right")

image, kernel = random.normal(size=(2, 3, 20, 24)).astype(np.float32), random.normal(size=(4, 3, 3, 3)).astype(np.float32)
got = Tensor(image).conv2d(Tensor(kernel)).numpy()
windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(2, 3))
assert np.allclose(got, np.einsum("nchwij,kcij->nkhw", windows, kernel), atol=1e-3)
print("convolution right")

# The exclusive or of two signs.
points = random.uniform(-1, 1, (256, 2)).astype(np.float32)
classes = (points[:, 0] * points[:, 1] > 0).astype(np.float32)
Tensor.manual_seed(1)
first = Tensor.uniform(2, 32, low=-1, high=1).is_param_()
second = Tensor.uniform(32, 1, low=-0.3, high=0.3).is_param_()
optimizer = SGD([first, second], lr=2.0)
for _ in range(150):
    optimizer.zero_grad()
    loss = ((Tensor(points) @ first).tanh().square() @ second).sigmoid().squeeze(1)
    loss = (loss - Tensor(classes)).square().mean()
    loss.backward()
    with Context(TRAINING=1):
        optimizer.step()
assert loss.item() < 0.15, loss.item()
print("network right: loss", loss.item())
