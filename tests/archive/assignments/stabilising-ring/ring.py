"""A token ring with two rules, in which the leader counts down."""

from lydian import Process, parameter, variable, when


class Counting(Process):
    k = parameter(10)

    x: int = variable(0, minimum=0, maximum="k - 1")
    wants: bool = True

    @when(lambda self: self.initiator and self.see(self.left).x == self.x)
    def lead(self):
        self.x = self.x - 1 if self.x > 0 else self.k - 1
        self.serve()

    @when(lambda self: not self.initiator and self.see(self.left).x != self.x)
    def follow(self):
        self.x = self.see(self.left).x
        self.serve()

    def serve(self):
        if self.wants:
            self.wants = False
