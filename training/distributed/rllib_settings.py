"""RLlib's config of a run."""

import math
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from training.distributed.algorithm import LeaguePPO
from training.distributed.cluster_config import DistributedConfig
from training.distributed.env_runner import RUN, SelfPlayRunner, module_spaces
from training.distributed.rl_module import MaskedModule
from training.learner.number_format import measure_formats, settle_number_format


def algorithm_config(run: DistributedConfig) -> PPOConfig:
    """Return the settings of RLlib for a config.

    Args:
        run: The config of the run; if it leaves the number format open, the faster is taken.

    Returns:
        A config whose ``build_algo()`` makes a `LeaguePPO`.
    """
    run, _ = settle_number_format(run, measure_formats)
    settings = PPOConfig(algo_class=LeaguePPO)
    settings.api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
    _add_playing(settings, run)
    _add_learning(settings, run)
    settings.framework("torch").debugging(seed=run.seed, log_level="ERROR")
    return settings


def _add_playing(settings: PPOConfig, run: DistributedConfig) -> None:
    cluster = run.cluster
    observation_space, action_space = module_spaces(run)
    settings.environment(
        observation_space=observation_space,
        action_space=action_space,
        env_config={RUN: run},
        # The check would play without masks.
        disable_env_checking=True,
    )
    settings.env_runners(
        env_runner_cls=SelfPlayRunner,
        num_env_runners=cluster.num_env_runners,
        num_cpus_per_env_runner=cluster.num_cpus_per_env_runner,
        num_envs_per_env_runner=run.tables_of_runner,
        rollout_fragment_length=run.ppo.n_steps,
        merge_env_runner_states=False,
        broadcast_env_runner_states=False,
    )
    settings.fault_tolerance(
        restart_failed_env_runners=True,
        delay_between_env_runner_restarts_s=1.0,
        # Before the next iteration, processes that are not back yet are asked again and waited for.
        env_runner_health_probe_timeout_s=0.1,
    )


def _add_learning(settings: PPOConfig, run: DistributedConfig) -> None:
    cluster, ppo = run.cluster, run.ppo
    settings.rl_module(
        rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=_model_config(run))
    )
    settings.learners(
        num_learners=cluster.num_learners,
        num_cpus_per_learner=cluster.num_cpus_per_learner,
        num_gpus_per_learner=cluster.num_gpus_per_learner,
    )
    settings.training(
        lr=_learning_rate(run),
        gamma=ppo.gamma,
        lambda_=ppo.gae_lambda,
        clip_param=ppo.clip_range,
        entropy_coeff=ppo.ent_coef,
        vf_loss_coeff=ppo.vf_coef,
        vf_clip_param=math.inf,
        use_kl_loss=False,
        grad_clip=ppo.max_grad_norm,
        grad_clip_by="global_norm",
        num_epochs=ppo.n_epochs,
        minibatch_size=ppo.batch_size // max(1, cluster.num_learners),
        train_batch_size_per_learner=run.num_envs * ppo.n_steps // max(1, cluster.num_learners),
    )


def _model_config(run: DistributedConfig) -> dict[str, Any]:
    return {
        "features": list(run.features),
        "net_arch": list(run.net_arch),
        "number_format": run.number_format,
    }


def _learning_rate(run: DistributedConfig) -> float | list[list[float]]:
    start, end = run.ppo.learning_rate, run.ppo.final_learning_rate
    return start if end is None else [[0, start], [run.total_decisions, end]]
