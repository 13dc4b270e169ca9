# This file is a plugin of sos (sosreport): it belongs into sos/report/plugins.

from sos.report.plugins import Plugin, RedHatPlugin, DebianPlugin, UbuntuPlugin, SuSEPlugin


class Rocm(Plugin, RedHatPlugin, DebianPlugin, UbuntuPlugin, SuSEPlugin):
    """A short snapshot of AMD GPUs, their driver and ROCm, by rocsteady

    The snapshot has pseudonyms in place of names, serial numbers and tokens,
    at most 32 kB, and is examined anywhere: rocsteady check --from FILE
    """

    short_desc = 'AMD GPUs and ROCm, by rocsteady'
    plugin_name = 'rocm'
    profiles = ('hardware', 'system')
    commands = ('rocsteady',)

    def setup(self):
        self.add_cmd_output('rocsteady snapshot --brief', suggest_filename='rocsteady.snap')
        self.add_cmd_output('rocsteady check')

# vim: set et ts=4 sw=4 :
